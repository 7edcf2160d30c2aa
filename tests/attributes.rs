//! Attributes with absurd values: on every device each is either taken, or refused by a message that names it.

#![allow(clippy::unwrap_used, clippy::panic)]

use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::diagnostics::SourceId;
use tiletc::driver::{self, Options};
use tiletc::ir::{AttributeSet as _, FunctionAttributes, Ir, ParameterAttributes};
use tiletc::status::Status;

/// Values of every kind, most of which mean nothing.
const VALUES: [&str; 29] = [
    "-9223372036854775807",
    "-1",
    "0",
    "1",
    "3",
    "8",
    "17",
    "48",
    "1000",
    "4096",
    "4097",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "true",
    "\"\"",
    "\"none\"",
    "\"block_2d\"",
    "[]",
    "[0,0]",
    "[-1,-1]",
    "[1,1]",
    "[3,5]",
    "[48,7]",
    "[4096,4096]",
    "[2147483647,2147483647]",
    "[1,9223372036854775807]",
    "[\"wrap\",1]",
    "{\"a\"=1}",
];

/// Place of the attribute in a program.
const PLACE: char = '§';

/// Programs with a place for an attribute, and the names of those that it is for.
fn places() -> Vec<(String, Vec<&'static str>)> {
    let gemm = |ty: &str, a: &str, f: &str| {
        format!(
            "func @f(%A: memref<{ty}x32x32> {a}, %B: memref<{ty}x32x32>, %C: memref<f32x32x32>) attributes{f} {{
                %x = constant 1.0 : {ty}
                %y = constant 1.0 : f32
                gemm.n.t %x, %A, %B, %y, %C
            }}"
        )
    };
    let tiles = |ty: &str, f: &str, order: &str, load: &str, dot: &str, pipeline: &str| {
        format!(
            "func @f(%A: memref<{ty}x?x?>, %C: memref<f32x?x?>, %n: index) attributes{f} {{
                %o = constant 0 : index
                %s = constant 32 : index
                %i, %j = tile_order.grouped %n, %n {order} -> (index, index)
                %z = constant 0.0 : tile<f32x32x32,matrix_acc>
                %t = for %k=%o,%n,%s init(%c=%z) -> (tile<f32x32x32,matrix_acc>) {{
                    %a = tile_load %A[%i,%k] {load} : tile<{ty}x32x32,matrix_a>
                    %b = tile_load.t %A[%j,%k] : tile<{ty}x32x32,matrix_b>
                    %d = tile_dot %a, %b, %c {dot} : tile<f32x32x32,matrix_acc>
                    yield (%d)
                }} attributes{pipeline}
                tile_store %t, %C[%i,%j]
            }}"
        )
    };
    let unrolled = "func @f(%A: memref<f32x32>, %x: f32) {
        %o = constant 0 : i32
        %n = constant 3 : i32
        for %i=%o,%n {
            %m = alloca § : memref<f32x32,local>
            axpby %x, %A, %x, %m
            axpby %x, %m, %x, %A
        } attributes§
    }";
    let function = FunctionAttributes::NAMES.to_vec();
    let in_tiles = |ty| {
        [
            (tiles(ty, "§", "", "", "", "{}"), function.clone()),
            (tiles(ty, "{}", "§", "", "", "{}"), vec!["group"]),
            (tiles(ty, "{}", "", "§", "", "{}"), vec!["boundary"]),
            (tiles(ty, "{}", "", "", "§", "{}"), vec!["precision"]),
            (tiles(ty, "{}", "", "", "", "§"), vec!["num_stages", "pipeline", "sync", "unroll"]),
        ]
    };
    let mut places = vec![
        (gemm("f32", "", "§"), function.clone()),
        (gemm("bf16", "", "§"), function.clone()),
        (gemm("f32", "§", "{}"), ParameterAttributes::NAMES.to_vec()),
        (unrolled.replace("attributes§", ""), vec!["alignment"]),
        (unrolled.replace("alloca §", "alloca"), vec!["unroll"]),
    ];
    places.extend(in_tiles("f32"));
    places.extend(in_tiles("bf16").into_iter().take(1));
    places
}

/// The text of a message with names as attributes have them.
fn normalized(text: &str) -> String {
    text.replace([' ', '-'], "_")
}

fn compile(text: &str, info: &CoreInfo) -> Result<(), (Status, String)> {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes());
    let module = program.and_then(|program| driver::compile(&mut ir, &program, info, &Options::default()));
    module.map(drop).map_err(|error| (error.status(), error.to_string()))
}

fn check(info: &CoreInfo) {
    let (mut taken, mut refused, mut wrong) = (0, 0, Vec::new());
    for (program, names) in places() {
        for (name, value) in names.iter().flat_map(|name| VALUES.map(|value| (name, value))) {
            let attribute = format!("{{\"{name}\"={value}}}");
            match compile(&program.replace(PLACE, &attribute), info) {
                Ok(()) => taken += 1,
                Err((status, message)) => {
                    refused += 1;
                    if status == Status::InternalCompilerError || !normalized(&message).contains(name) {
                        let head = program.lines().next().unwrap_or_default();
                        wrong.push(format!("{attribute}: {message} in {head}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} messages do not name the attribute:\n{}", wrong.len(), wrong.join("\n"));
    assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused");
}

fn named(name: &str) -> CoreInfo {
    CoreInfo::from_name(name).unwrap()
}

#[test]
fn messages_name_the_attribute_where_2d_blocks_feed_the_engine() {
    check(&named("pvc"));
}

#[test]
fn messages_name_the_attribute_on_an_engine_of_eight_lanes() {
    check(&named("dg2"));
}

#[test]
fn messages_name_the_attribute_on_cooperative_matrices() {
    check(&named("arl-h"));
}

#[test]
fn messages_name_the_attribute_without_an_engine() {
    check(&named("tgl"));
}

#[test]
fn messages_name_the_attribute_on_a_processor() {
    let mut info = CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64]);
    let standard = SpirvFeature::ALL.iter().take(SpirvFeature::STANDARD_COUNT);
    standard.for_each(|&feature| info.set(feature, true));
    check(&info);
}
