//! Products of tiles against sums that the host forms. Entries are small integers, so that every result is exact; what
//! is around the matrices must not show (NaN where the type has it) and must not change.

mod copies;
mod early;
mod edges;
mod eight_bits;
mod four_bits;
mod fragments;
mod hazards;
mod memory;
mod product;
mod program;
mod reduce;
mod scalars;
mod swizzle;

use half::{bf16, f16};
use tiletc::device::SpirvFeature;

use crate::Case;
use crate::device::{Device, Outcome, Stop};
use crate::gemm::ENGINE;
use crate::numbers::Number;
use crate::table::CASE_COUNTS;
use product::{Gemm, Place, bias, check_all, expect_same_bits, is_sum, sizes};

/// The orders of tiles.
const ORDERS: [&str; 8] =
    ["linear_n", "linear_m", "grouped", "panel_m", "panel_n", "morton", "hilbert", "diagonal"];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    products::<f32, f32>(&mut cases, &ALL_LAYOUTS, [32, 16, 16]);
    products::<f16, f32>(&mut cases, &ALL_LAYOUTS, [32, 16, 32]);
    products::<f64, f64>(&mut cases, &[0, 7], [16, 16, 8]);
    products::<bf16, f32>(&mut cases, &[0, 7], [32, 16, 32]);
    products::<i8, i32>(&mut cases, &[0, 7], [32, 16, 32]);
    let mut case = |name: &str, run: fn(&Device) -> Outcome| {
        cases.push(Case::new(format!("{ENGINE}tile::{name}"), run));
    };
    case("parts", parts);
    case("strides", strides);
    case("uneven", uneven);
    case("boundaries", boundaries);
    case("edges_f32", edges::products::<f32, f32>);
    case("edges_f64", edges::products::<f64, f64>);
    case("edges_f16", edges::products::<f16, f32>);
    case("edges_i8", edges::products::<i8, i32>);
    case("ends_f32", edges::known::<f32, f32>);
    case("ends_bf16", edges::known::<bf16, f32>);
    case("ends_i8", edges::known::<i8, i32>);
    case("pitched_bf16", edges::pitched::<bf16, f32>);
    case("pitched_f16", edges::pitched::<f16, f16>);
    case("pitched_f32", edges::pitched::<f32, f32>);
    case("pitched_i8", edges::pitched::<i8, i32>);
    case("masks", memory::masks);
    case("orders", orders);
    case("stages", stages);
    case("staged", staged);
    case("widened", widened);
    case("fragments_f32", fragments::products::<f32, f32>);
    case("fragments_f16", fragments::products::<f16, f32>);
    case("fragments_i8", fragments::products::<i8, i32>);
    case("fragments_of_factors", fragments::factors);
    case("copies", copies::boundaries);
    case("swizzle_f32", swizzle::accesses::<f32>);
    case("swizzle_f16", swizzle::accesses::<f16>);
    case("swizzle_i8", swizzle::accesses::<i8>);
    case("swizzle_views", swizzle::views_and_atomics);
    case("shared_copies_f32_f32", copies::shared::<f32, f32>);
    case("shared_copies_f64_f64", copies::shared::<f64, f64>);
    case("shared_copies_f16_f16", copies::shared::<f16, f16>);
    case("shared_copies_i8_i8", copies::shared::<i8, i8>);
    case("shared_copies_i16_i64", copies::shared::<i16, i64>);
    case("shared_copies_i8_f32", copies::shared::<i8, f32>);
    case("shared_copies_f16_f32", copies::shared::<f16, f32>);
    case("bits", bits);
    case("huge_strides", memory::huge_strides);
    case("epilogues", epilogues);
    case("accumulate", accumulate);
    case("control", program::control);
    case("neighbours", program::neighbours);
    case("map", program::map);
    case("reductions", reduce::reductions);
    case("reductions_to_several", reduce::partial);
    case("reductions_in_loops", reduce::in_loops);
    case("entries", reduce::entries);
    case("chained", reduce::chained);
    case("ends", early::ends);
    case("products_end", early::products);
    case("transposed", early::transposed);
    case("hazards", hazards::all);
    case("single_rows", reduce::single_rows);
    case("eight_bits", eight_bits::by_element);
    case("tiles_of_eight_bits", eight_bits::tiles);
    case("four_bits", four_bits::numbers);
    case("tiles_of_four_bits", four_bits::tiles);
    case("positions", memory::positions);
    case("rows_of_two_stores", memory::rows_of_two_stores);
    cases.push(Case::new("tile::order_is_as_specified", scalars::order_is_as_specified));
    cases.push(Case::new("control::ends_early", early::scalars));
    cases.push(Case::new("tile::select", scalars::select));
    cases.push(Case::new("tile::surfaces", scalars::surfaces));
    cases
}

/// Numbers of the combinations of transposed A, B and C.
const ALL_LAYOUTS: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

fn products<A: Number, C: Number>(cases: &mut Vec<Case>, layouts: &'static [usize], block: [usize; 3]) {
    cases.push(Case::new(format!("{ENGINE}tile::{}_{}", A::NAME, C::NAME), move |device| {
        let gemms: Vec<Gemm> = layouts
            .iter()
            .map(|layout| Gemm {
                transposed: [layout & 4 != 0, layout & 2 != 0, layout & 1 != 0],
                // Pitches that are odd, those of multiples of 16 bytes and those of the matrix alone.
                place: Place::Whole { gap: [1, 0, 8, 16][layout % 4] },
                ..Gemm::new(block)
            })
            .collect();
        check_all::<A, C, C>(device, &gemms, &sizes(block), 77.0, is_sum)
    }));
}

fn parts(device: &Device) -> Outcome {
    let gemm = |transposed| Gemm { place: Place::Part, transposed, ..Gemm::new([32, 16, 16]) };
    let gemms = [gemm([false; 3]), gemm([true, false, true])];
    let sizes = [[32, 16, 16], [33, 17, 5], [1, 1, 1], [40, 40, 40]];
    if device.info.have(SpirvFeature::Float16) {
        check_all::<f16, f32, f32>(device, &gemms[..1], &sizes, 77.0, is_sum)?;
    }
    check_all::<f32, f32, f32>(device, &gemms, &sizes, 77.0, is_sum)
}

/// Tiles that no grid of subgroups shares evenly, alone in their matrix and next to others that they must leave alone.
fn uneven(device: &Device) -> Outcome {
    let gemms = |block: [usize; 3]| {
        [[false; 3], [true, false, false], [false, true, true], [true; 3]]
            .map(|transposed| Gemm { transposed, ..Gemm::new(block) })
    };
    check_all::<f32, f32, f32>(device, &gemms([56, 9, 9]), &[[56, 9, 9], [111, 10, 18]], 77.0, is_sum)?;
    check_all::<f32, f32, f32>(device, &gemms([35, 7, 5])[2..], &[[36, 14, 6], [1, 1, 1]], 77.0, is_sum)?;
    check_all::<bf16, f32, f32>(device, &gemms([84, 20, 24])[..1], &[[85, 20, 48]], 77.0, is_sum)?;
    check_all::<f64, f64, f64>(device, &gemms([20, 9, 9])[3..], &[[41, 11, 10]], 77.0, is_sum)?;
    let acc = "tile<f32x56x9,matrix_acc>";
    let epilogue = format!("%old = tile_load %C[%m,%n] : {acc}\n%out = add %acc, %old : {acc}");
    let adding = Gemm { epilogue, ..Gemm::new([56, 9, 9]) };
    let sizes = [[56, 9, 9], [100, 20, 5]];
    check_all::<f32, f32, f32>(device, &[adding], &sizes, 5.0, |_, _, sum, before| sum + before)?;
    let parts = gemms([56, 9, 9]).map(|gemm| Gemm { place: Place::Part, ..gemm });
    check_all::<f32, f32, f32>(device, &parts[1..2], &[[100, 20, 9]], 77.0, is_sum)?;
    check_all::<i8, i32, i32>(device, &gemms([40, 12, 16])[1..2], &[[81, 13, 33]], 77.0, is_sum)
}

fn strides(device: &Device) -> Outcome {
    let gemm = |first| Gemm { place: Place::Strided { first }, ..Gemm::new([32, 16, 16]) };
    let sizes = [[32, 16, 16], [33, 17, 5], [1, 1, 1]];
    for first in [1, 3] {
        check_all::<f32, f32, f32>(device, &[gemm(first)], &sizes, 77.0, is_sum)?;
    }
    Ok(())
}

/// Elements outside along M and N are never stored, whatever they are read as; along K they are 0.
fn boundaries(device: &Device) -> Outcome {
    let gemm = |a, b| Gemm { load: [a, b], ..Gemm::new([32, 16, 16]) };
    let gemms = [
        gemm(" {boundary=[\"wrap\",\"zero\"]}", " {boundary=[\"zero\",\"wrap\"]}"),
        gemm(".zero", ".zero"),
        gemm(" {boundary=[\"zero\",\"zero\"]}", ""),
    ];
    check_all::<f32, f32, f32>(
        device,
        &gemms,
        &[[33, 17, 5], [70, 23, 40], [1, 1, 1], [32, 16, 0]],
        77.0,
        is_sum,
    )?;
    if device.info.have(SpirvFeature::Float16) {
        check_all::<f16, f32, f32>(device, &gemms[..1], &[[33, 17, 5], [64, 32, 64]], 77.0, is_sum)?;
    }
    // Where everything is inside, nothing needs a check.
    let unchecked = Gemm { store: "", ..gemm(".unchecked", ".unchecked") };
    check_all::<f32, f32, f32>(device, &[unchecked], &[[64, 32, 48]], 77.0, is_sum)?;
    memory::plain_loads(device)
}

/// Every order gives the same result, with work-groups that have nothing to do.
fn orders(device: &Device) -> Outcome {
    let gemms: Vec<Gemm> =
        ORDERS.iter().map(|order| Gemm { order: (*order).to_owned(), ..Gemm::new([16, 16, 16]) }).collect();
    check_all::<f32, f32, f32>(device, &gemms, &[[100, 72, 20], [16, 100, 3]], 77.0, is_sum)
}

/// The stages of a loop and barriers in it change nothing.
fn stages(device: &Device) -> Outcome {
    let mut attributes: Vec<String> =
        (1..=4).map(|stages| format!("attributes{{num_stages={stages}}}")).collect();
    attributes.push("attributes{sync=\"full\", num_stages=2}".to_owned());
    attributes.push("attributes{sync=\"split\"}".to_owned());
    attributes.push("attributes{pipeline=\"none\", sync=\"none\"}".to_owned());
    attributes.push("attributes{pipeline=\"prefetch\", unroll=2}".to_owned());
    let gemms: Vec<Gemm> =
        attributes.into_iter().map(|attributes| Gemm { attributes, ..Gemm::new([32, 16, 16]) }).collect();
    let sizes = [[64, 32, 64], [33, 17, 41], [32, 16, 0]];
    if device.info.have(SpirvFeature::Float16) {
        check_all::<f16, f32, f32>(device, &gemms, &sizes, 77.0, is_sum)?;
    }
    check_all::<f32, f32, f32>(device, &gemms, &sizes[1..], 77.0, is_sum)
}

/// Factors that are staged in local memory, with as many buffers as there are stages: for engines in panels, which have what they take
/// at once contiguous, whichever way it lies in global memory.
fn staged(device: &Device) -> Outcome {
    let gemm = |stages: usize, layout: usize| Gemm {
        transposed: [layout & 4 != 0, layout & 2 != 0, layout & 1 != 0],
        place: Place::Whole { gap: [1, 0, 8, 16][layout % 4] },
        attributes: format!("attributes{{num_stages={stages}, pipeline=\"slm\"}}"),
        ..Gemm::new([32, 16, 32])
    };
    let all: Vec<Gemm> =
        [(1, 0), (2, 2), (3, 5), (4, 7), (2, 4)].map(|(stages, layout)| gemm(stages, layout)).to_vec();
    let sizes = [[32, 16, 32], [33, 17, 65], [64, 32, 224], [31, 15, 1], [40, 16, 0]];
    if device.info.have(SpirvFeature::Float16) {
        check_all::<f16, f32, f32>(device, &all, &sizes, 77.0, is_sum)?;
    }
    check_all::<bf16, f32, f32>(device, &all[1..3], &sizes[1..3], 77.0, is_sum)?;
    check_all::<i8, i32, i32>(device, &all[1..3], &sizes[1..2], 77.0, is_sum)?;
    check_all::<f64, f64, f64>(device, &all[1..2], &sizes[1..2], 77.0, is_sum)?;
    check_all::<f32, f32, f32>(device, &all[2..4], &sizes[1..2], 77.0, is_sum)?;
    let precision = "precision=\"tf32\"";
    let tf32 = all[1..3].iter().map(|gemm| Gemm { dot: precision, ..gemm.clone() });
    check_all::<f32, f32, f32>(device, &tf32.collect::<Vec<_>>(), &sizes[1..3], 77.0, is_sum)?;
    let part = Gemm { place: Place::Part, ..gemm(2, 0) };
    check_all::<bf16, f32, f32>(device, &[part], &sizes[1..3], 77.0, is_sum)
}

/// Factors that products take in a wider type: devices with matrix engines widen them on the way to local memory.
fn widened(device: &Device) -> Outcome {
    let gemm = |factors, layout: usize, block| Gemm {
        transposed: [layout & 4 != 0, layout & 2 != 0, layout & 1 != 0],
        place: Place::Whole { gap: [0, 1, 16, 64][layout % 4] },
        factors,
        ..Gemm::new(block)
    };
    let sizes = [[33, 17, 65], [64, 32, 160], [16, 16, 1]];
    let block = [32, 16, 32];
    if device.info.have(SpirvFeature::Float16) {
        // Each subgroup loads its own share of A.
        let direct = Gemm { attributes: "attributes{pipeline=\"none\"}".to_owned(), ..gemm("f16", 0, block) };
        let gemms = [gemm("f16", 0, block), gemm("f16", 6, [32, 16, 64]), direct];
        check_all::<i8, f32, f32>(device, &gemms, &sizes, 77.0, is_sum)?;
    }
    let staged = |gemm: Gemm| Gemm { attributes: "attributes{pipeline=\"slm\"}".to_owned(), ..gemm };
    let gemms = [staged(gemm("bf16", 2, [32, 16, 16]))];
    check_all::<i8, f32, f32>(device, &gemms, &sizes[..2], 77.0, is_sum)?;
    check_all::<bf16, f32, f32>(device, &[staged(gemm("f32", 3, [16, 16, 8]))], &sizes[..1], 77.0, is_sum)?;
    check_all::<i8, i32, i32>(device, &[staged(gemm("i16", 0, [16, 16, 8]))], &sizes[..1], 77.0, is_sum)
}

/// Neither the order of tiles nor the stages of a loop show in the last bit of a sum.
fn bits(device: &Device) -> Outcome {
    let mut gemms: Vec<Gemm> = ["linear_n", "grouped", "morton"]
        .map(|order| Gemm { order: order.to_owned(), ..Gemm::new([32, 16, 16]) })
        .to_vec();
    gemms.extend((1..=4).map(|stages| Gemm {
        attributes: format!("attributes{{num_stages={stages}}}"),
        ..Gemm::new([32, 16, 16])
    }));
    gemms.extend((1..=3).map(|stages| Gemm {
        attributes: format!("attributes{{num_stages={stages}, pipeline=\"slm\"}}"),
        ..Gemm::new([32, 16, 16])
    }));
    expect_same_bits(device, &gemms, [70, 41, 83])
}

/// Bias along rows and columns, ReLU, tiles of two types, α and β, and narrower results, also where there is no sum.
fn epilogues(device: &Device) -> Outcome {
    let [bm, bn, bk] = [32, 16, 16];
    let tile = format!("tile<f32x{bm}x{bn},matrix_acc>");
    let with_bias = |first: &str, index: &str| {
        format!(
            "%out = tile_apply (%i,%j,%v)=(%acc) -> {tile} {{
                %l = cast {index} : index
                %at = add {first}, %l : index
                %b = load %bias[%at] : f32
                %s = add %v, %b : f32
                %z = constant 0.0 : f32
                %r = max %s, %z : f32
                yield (%r)
            }}"
        )
    };
    let gemm = |epilogue: String| Gemm { epilogue, ..Gemm::new([bm, bn, bk]) };
    let sizes = [[32, 16, 16], [37, 23, 41], [1, 1, 1], [40, 17, 0]];
    let both =
        |epilogue: String| [false, true].map(|t| Gemm { transposed: [t; 3], ..gemm(epilogue.clone()) });
    let by_row = with_bias("%m", "%i");
    let by_col = with_bias("%n", "%j");
    for gemm in both(by_row.clone()) {
        check_all::<f32, f32, f32>(device, &[gemm], &sizes, 77.0, |i, _, sum, _| {
            (sum + f64::from(bias(i))).max(0.0)
        })?;
    }
    check_all::<f32, f32, f32>(device, &both(by_col), &sizes, 77.0, |_, j, sum, _| {
        (sum + f64::from(bias(j))).max(0.0)
    })?;
    let place = format!(
        "%out = tile_apply (%i,%j,%v)=(%acc) -> {tile} {{
            %l = cast %i : index
            %row = add %m, %l : index
            %o = cast %j : index
            %col = add %n, %o : index
            %two = constant 2 : index
            %twice = mul %col, %two : index
            %w = add %row, %twice : index
            %x = cast %w : f32
            %less = less_than %row, %col : bool
            %n = neg %x : f32
            %y = select %less, %n, %x : f32
            %s = add %v, %y : f32
            yield (%s)
        }}"
    );
    let place = place.replace("%n = neg", "%minus = neg").replace("%less, %n,", "%less, %minus,");
    check_all::<f32, f32, f32>(device, &both(place), &sizes, 77.0, |i, j, sum, _| {
        let weight = (i + 2 * j) as f64;
        sum + if i < j { -weight } else { weight }
    })?;
    // β·C is loaded from what the kernel overwrites.
    let scaled = format!(
        "%two = constant 2.0 : f32
         %three = constant 3.0 : f32
         %twice = tile_scale %two, %acc : {tile}
         %old = tile_load %C[%m,%n] : {tile}
         %more = tile_scale %three, %old : {tile}
         %out = add %twice, %more : {tile}"
    );
    let poison = |_: usize, _: usize, sum: f64, before: f64| 2.0 * sum + 3.0 * before;
    check_all::<f32, f32, f32>(device, &[gemm(scaled)], &sizes, 5.0, poison)?;
    let is_half = device.info.have(SpirvFeature::Float16);
    CASE_COUNTS.ran("tile_apply", 0.0);
    CASE_COUNTS.ran("tile_scale", 0.0);
    if !is_half {
        return Ok(());
    }
    // Tiles of two component types, and a cast to half precision.
    let mixed = format!(
        "%old = tile_load %C[%m,%n] : tile<f16x{bm}x{bn},matrix_acc>
         %sums = tile_apply (%i,%j,%v,%h)=(%acc,%old) -> {tile} {{
            %w = cast %h : f32
            %s = sub %v, %w : f32
            yield (%s)
         }}
         %out = cast %sums : tile<f16x{bm}x{bn},matrix_acc>"
    );
    let plain = Gemm::new([bm, bn, bk]);
    check_all::<f32, f32, f16>(device, &[gemm(mixed.clone()), plain], &sizes[..1], 0.0, is_sum)?;
    check_all::<f16, f32, f16>(device, &[gemm(mixed)], &sizes, 5.0, |_, _, sum, before| sum - before)
}

/// Sums that are added to what is there, by one or several work-groups.
fn accumulate(device: &Device) -> Outcome {
    if !device.info.have(SpirvFeature::AtomicFloat32AddGlobal) {
        return Err(Stop::Skip("the device has no atomic addition of f32".to_owned()));
    }
    let gemm = |transposed, mask| Gemm { store: ".atomic_add", transposed, mask, ..Gemm::new([32, 16, 16]) };
    let gemms = [gemm([false; 3], ""), gemm([false, false, true], "")];
    let sizes = [[32, 16, 16], [33, 17, 41], [1, 1, 1]];
    check_all::<f32, f32, f32>(device, &gemms, &sizes, 5.0, |_, _, sum, before| sum + before)?;
    let board = "mask (%i,%j) { %s = add %i, %j : index
                                %two = constant 2 : index
                                %t = rem %s, %two : index
                                %r = equal %t, %zero_index : bool
                                yield (%r) }";
    check_all::<f32, f32, f32>(device, &[gemm([false; 3], board)], &sizes, 5.0, |i, j, sum, before| {
        before + if (i + j) % 2 == 0 { sum } else { 0.0 }
    })
}
