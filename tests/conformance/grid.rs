//! Places in the grid, in the work-group and in the subgroup.

use crate::Case;
use crate::device::{Device, Outcome};
use crate::numbers::expect_equal;

pub fn cases() -> Vec<Case> {
    let mut cases = vec![Case::new("grid::groups", groups)];
    for size in [4, 8, 16, 32, 64] {
        for group in [[size, 1], [2 * size, 1], [size, 4], [4 * size, 2], [64, 3]] {
            let name = format!("grid::subgroups::{size}::{}x{}", group[0], group[1]);
            cases.push(Case::new(name, move |device| subgroups(device, size, group)));
        }
    }
    cases.push(Case::new("grid::chosen_geometry", chosen_geometry));
    cases
}

/// Every group of a three-dimensional launch notes its place and the extents at its own row of the results.
fn groups(device: &Device) -> Outcome {
    let text = "func @groups(%R: memref<i64x6x?>) {
        %x = group_id.x : index
        %y = group_id.y : index
        %z = group_id.z : index
        %nx = num_groups.x : index
        %ny = num_groups.y : index
        %nz = num_groups.z : index
        %zy = mul %z, %ny : index
        %row = add %zy, %y : index
        %rx = mul %row, %nx : index
        %at = add %rx, %x : index
        %i0 = constant 0 : index
        %i1 = constant 1 : index
        %i2 = constant 2 : index
        %i3 = constant 3 : index
        %i4 = constant 4 : index
        %i5 = constant 5 : index
        %v0 = cast %x : i64
        %v1 = cast %y : i64
        %v2 = cast %z : i64
        %v3 = cast %nx : i64
        %v4 = cast %ny : i64
        %v5 = cast %nz : i64
        store %v0, %R[%i0,%at]
        store %v1, %R[%i1,%at]
        store %v2, %R[%i2,%at]
        store %v3, %R[%i3,%at]
        store %v4, %R[%i4,%at]
        store %v5, %R[%i5,%at]
    }";
    for [nx, ny, nz] in [[1, 1, 1], [5, 3, 2], [1, 4, 7], [20, 1, 1], [1, 1, 9]] {
        let mut expected: Vec<i64> = Vec::new();
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    expected.extend([x, y, z, nx, ny, nz]);
                }
            }
        }
        let results = device.memory(&vec![-1i64; expected.len()])?;
        let arguments = [(&results).into(), (nx * ny * nz).into()];
        let counts = [nx, ny, nz].map(|n| n as usize);
        device.run_text(text, 2, "groups", counts, &arguments)?;
        expect_equal("groups", &results, &expected)?;
    }
    Ok(())
}

/// Every work-item notes all it knows of its place: the numbers must be those of language reference 4, and no
/// two work-items may share a place.
fn subgroups(device: &Device, size: i32, [x, y]: [i32; 2]) -> Outcome {
    if !device.has_geometry(size, [x, y]) {
        return Err(crate::device::Stop::Skip(format!("no subgroups of {size} in groups of {x}x{y}")));
    }
    let items = (x * y) as usize;
    let text = format!(
        "func @subgroups(%R: memref<i32x9x{items}>) attributes{{subgroup_size={size}, work_group_size=[{x},{y}]}} {{
            parallel {{
                %sx = subgroup_id.x : i32
                %sy = subgroup_id.y : i32
                %sz = subgroup_id.z : i32
                %linear = subgroup_linear_id : i32
                %lane = subgroup_local_id : i32
                %nx = num_subgroups.x : i32
                %ny = num_subgroups.y : i32
                %nz = num_subgroups.z : i32
                %size = subgroup_size : i32
                %start = mul %linear, %size : i32
                %item = add %start, %lane : i32
                %at = cast %item : index
                {}
            }}
        }}",
        ["sx", "sy", "sz", "linear", "lane", "nx", "ny", "nz", "size"]
            .iter()
            .enumerate()
            .map(|(i, name)| format!("%i{i} = constant {i} : index store %{name}, %R[%i{i},%at]\n"))
            .collect::<String>()
    );
    let m_tiles = x / size;
    let mut expected = Vec::new();
    for linear in 0..m_tiles * y {
        for lane in 0..size {
            expected.extend([linear % m_tiles, linear / m_tiles, 0, linear, lane, m_tiles, y, 1, size]);
        }
    }
    for level in [0, 2] {
        let results = device.memory(&vec![-1i32; expected.len()])?;
        device.run_text(&text, level, "subgroups", [1, 1, 1], &[(&results).into()])?;
        expect_equal("subgroups", &results, &expected)?;
    }
    Ok(())
}

/// Checks that the compiler chooses something the device has.
fn chosen_geometry(device: &Device) -> Outcome {
    let text = "func @geometry(%R: memref<i32x3>) {
        %size = subgroup_size : i32
        %nx = num_subgroups.x : i32
        %ny = num_subgroups.y : i32
        %i0 = constant 0 : index
        %i1 = constant 1 : index
        %i2 = constant 2 : index
        store %size, %R[%i0]
        store %nx, %R[%i1]
        store %ny, %R[%i2]
    }";
    let results = device.memory(&[0i32; 3])?;
    device.run_text(text, 2, "geometry", [1, 1, 1], &[(&results).into()])?;
    let [size, nx, ny] = [results[0], results[1], results[2]];
    match device.has_geometry(size, [size * nx, ny]) && nx > 0 && ny > 0 {
        true => Ok(()),
        false => Err(format!("subgroups of {size}, {nx}x{ny} of them").into()),
    }
}
