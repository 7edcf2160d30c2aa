//! Loops whose counters come near the limits of their type, and steps that are not positive.

use std::fmt::Write as _;

use crate::Case;
use crate::device::{Argument, Device, Kernels, Outcome, run};
use crate::numbers::{Number, Random, expect_equal};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    macro_rules! case {
        ($($ty:ty: $name:literal)*) => {
            for level in [0, 2] {
                $(cases.push(Case::new(format!("counters::for::{}::level{level}", $name), move |device| {
                    at_run_time::<$ty>(device, level, $name)
                }));
                cases.push(Case::new(
                    format!("counters::constants::{}::level{level}", $name),
                    move |device| with_constants::<$ty>(device, level, $name),
                ));)*
            }
        };
    }
    case! { i8: "i8" i16: "i16" i32: "i32" i64: "i64" i64: "index" }
    for level in [0, 2] {
        cases.push(Case::new(format!("counters::foreach::level{level}"), move |d| foreach(d, level)));
        cases.push(Case::new(format!("counters::foreach_tile::level{level}"), move |d| tiles(d, level)));
        cases.push(Case::new(format!("counters::huge_tile::level{level}"), move |d| huge_tile(d, level)));
    }
    cases
}

/// Turns of a loop, the sum of what the counter is in them, and what it is in the last.
fn expected([from, to, step]: [i64; 3]) -> [i64; 3] {
    let (mut at, mut results) = (i128::from(from), [0i64; 3]);
    while step > 0 && at < i128::from(to) {
        // Values of the counter are of its type.
        let value = at as i64;
        results = [results[0] + 1, results[1].wrapping_add(value), value];
        at += i128::from(step);
    }
    results
}

/// From, to, step at the limits of a type; a few turns each.
fn edges<T: Number>() -> Vec<[i64; 3]> {
    let bits = 8 * size_of::<T>();
    let (min, max) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    vec![
        [0, max, max - 27],
        [min, max, max],
        [min, max, max - 3],
        [max - 1, max, 1],
        [max - 5, max, 2],
        [max - 100, max, 7],
        [max, max, 1],
        [max, min, 1],
        [max, min, max],
        [min, min + 1, max],
        [min, min + 3, 2],
        [min, min + 60, 7],
        [5, max, max],
        [-3, 3, max],
        [0, 10, 3],
        [0, 10, 0],
        [0, 10, -1],
        [0, 10, min],
        [min, max, -1],
        [min, max, 0],
        [10, 0, -1],
    ]
}

/// The loop over `%from`, `%to`, `%step`, after which `%turns`, `%sum` and `%last` tell of it.
fn loop_text() -> &'static str {
    "%none = constant 0 : i64
     %one = constant 1 : i64
     %turns,%sum,%last = for %l=%from,%to,%step init(%n=%none,%s=%none,%p=%none) -> (i64,i64,i64) {
         %x = cast %l : i64
         %n1 = add %n, %one : i64
         %s1 = add %s, %x : i64
         yield (%n1,%s1,%x)
     }
     %i0 = constant 0 : index
     %i1 = constant 1 : index
     %i2 = constant 2 : index\n"
}

/// Every work-item runs loops of its own.
fn at_run_time<T: Number>(device: &Device, level: i32, ty: &str) -> Outcome {
    let mut loops = edges::<T>();
    if size_of::<T>() == 1 {
        let mut random = Random::new(11);
        let mut number = || i64::from(i8::sample(&mut random));
        loops.extend((0..400).map(|_| [number(), number(), number()]));
    }
    let n = loops.len();
    let text = format!(
        "func @loops(%B: memref<{ty}x3x{n}>, %R: memref<i64x3x{n}>) {{
             %begin = constant 0 : index
             %end = constant {n} : index
             %b1 = constant 1 : index
             %b2 = constant 2 : index
             foreach (%c)=(%begin),(%end) {{
                 %from = load %B[%begin,%c] : {ty}
                 %to = load %B[%b1,%c] : {ty}
                 %step = load %B[%b2,%c] : {ty}
                 {}
                 store %turns, %R[%i0,%c]
                 store %sum, %R[%i1,%c]
                 store %last, %R[%i2,%c]
             }}
         }}",
        loop_text()
    );
    let bounds: Vec<T> = loops.iter().flatten().map(|&bound| T::from_i64(bound)).collect();
    let (bounds, results) = (device.memory(&bounds)?, device.memory(&vec![-1i64; 3 * n])?);
    device.run_text(&text, level, "loops", [1, 1, 1], &[(&bounds).into(), (&results).into()])?;
    for (&bounds, results) in loops.iter().zip(results.chunks(3)) {
        expect_equal(&format!("{bounds:?}"), results, &expected(bounds))?;
    }
    Ok(())
}

/// The same where some of from, to, step are known to the compiler.
fn with_constants<T: Number>(device: &Device, level: i32, ty: &str) -> Outcome {
    let loops: Vec<_> =
        edges::<T>().into_iter().flat_map(|bounds| (0..8).map(move |known| (bounds, known))).collect();
    let kernels = Kernels::new(loops.iter().map(|(bounds, known)| {
        let mut constants = String::new();
        let parameters = ["from", "to", "step"].iter().zip(bounds).enumerate().map(|(i, (name, bound))| {
            // The smallest i64 cannot be written.
            if known >> i & 1 == 0 || *bound == i64::MIN {
                return format!("%{name}: {ty}");
            }
            let _ = writeln!(constants, "%{name} = constant {bound} : {ty}");
            format!("%unused_{name}: {ty}")
        });
        let parameters: Vec<String> = parameters.collect();
        format!(
            "({}, %R: memref<i64x3>) {{ {constants} {} store %turns, %R[%i0]
                 store %sum, %R[%i1]
                 store %last, %R[%i2] }}",
            parameters.join(", "),
            loop_text()
        )
    }));
    let program = device.build(&kernels.text, level)?;
    for (i, &(bounds, known)) in loops.iter().enumerate() {
        let results = device.memory(&[-1i64; 3])?;
        let mut arguments = bounds.map(|bound| -> Argument<'static> { T::from_i64(bound).into() }).to_vec();
        arguments.push((&results).into());
        run(&program, kernels.name(i), [1, 1, 1], &arguments)?;
        expect_equal(
            &format!("{bounds:?}, {known:03b} of which are constants"),
            &results,
            &expected(bounds),
        )?;
    }
    Ok(())
}

/// First and last positions of ranges.
const RANGES: [(i64, i64); 8] = [
    (i64::MAX - 70, i64::MAX),
    (i64::MAX - 1, i64::MAX),
    (i64::MAX, i64::MAX),
    (i64::MAX, -i64::MAX),
    (-i64::MAX, -i64::MAX + 70),
    (-i64::MAX, i64::MIN),
    (-35, 40),
    (3, 130),
];

/// A literal if there is one and the bounds are to be known.
fn bound(name: &str, value: i64, known: bool) -> (String, String) {
    if known && value != i64::MIN {
        (format!("%unused_{name}: i64"), format!("%{name} = constant {value} : i64\n"))
    } else {
        (format!("%{name}: i64"), String::new())
    }
}

/// Every point of a range at the limits of an i64 is visited once.
fn foreach(device: &Device, level: i32) -> Outcome {
    for (i, &(from, to)) in RANGES.iter().enumerate() {
        for known in [false, true] {
            let (from_parameter, from_constant) = bound("from", from, known);
            let (to_parameter, to_constant) = bound("to", to, known);
            let (other, _) = RANGES[(i + 1) % RANGES.len()];
            let text = format!(
                "func @points({from_parameter}, {to_parameter}, %other: i64, %end: i64, %R: memref<i64x200x4>) {{
                     {from_constant}{to_constant}
                     foreach (%i,%j)=(%from,%other),(%to,%end) {{
                         %x = sub %i, %from : i64
                         %y = sub %j, %other : i64
                         %xi = cast %x : index
                         %yi = cast %y : index
                         %one = constant 1 : i64
                         %old = load %R[%xi,%yi] : i64
                         %new = add %old, %one : i64
                         store %new, %R[%xi,%yi]
                     }}
                 }}"
            );
            // Three positions, or two where there is no third.
            let end = other.saturating_add(3);
            let (rows, columns) = (i128::from(to) - i128::from(from), i128::from(end) - i128::from(other));
            let results = device.memory(&[0i64; 800])?;
            let arguments = [from.into(), to.into(), other.into(), end.into(), (&results).into()];
            device.run_text(&text, level, "points", [1, 1, 1], &arguments)?;
            let inside = |place: i128| i64::from(place % 200 < rows && place / 200 < columns);
            let expected: Vec<i64> = (0..800).map(inside).collect();
            expect_equal(&format!("{from}..{to}, {other}..{end}"), &results, &expected)?;
        }
    }
    Ok(())
}

/// Every tile of a range is visited, and its size is right.
fn tiles(device: &Device, level: i32) -> Outcome {
    for &(from, to) in &RANGES {
        for known in [false, true] {
            let (from_parameter, from_constant) = bound("from", from, known);
            let (to_parameter, to_constant) = bound("to", to, known);
            let text = format!(
                "func @tiles({from_parameter}, {to_parameter}, %R: memref<i64x200x200>)
                         attributes{{subgroup_size=16, work_group_size=[32,2]}} {{
                     {from_constant}{to_constant}
                     foreach_tile (%i,%j)=(%from,%from),(%to,%to) as (%m,%n)<=(32,9) {{
                         %x = sub %i, %from : i64
                         %y = sub %j, %from : i64
                         %xi = cast %x : index
                         %yi = cast %y : index
                         %many = constant 1000 : i64
                         %a = mul %m, %many : i64
                         %b = add %a, %n : i64
                         store %b, %R[%xi,%yi]
                     }}
                 }}"
            );
            let results = device.memory(&[0i64; 200 * 200])?;
            device.run_text(
                &text,
                level,
                "tiles",
                [1, 1, 1],
                &[from.into(), to.into(), (&results).into()],
            )?;
            let count = usize::try_from(i128::from(to) - i128::from(from)).unwrap_or(0);
            let mut expected = vec![0i64; 200 * 200];
            for x in (0..count).step_by(32) {
                for y in (0..count).step_by(9) {
                    expected[x + 200 * y] = (1000 * 32.min(count - x) + 9.min(count - y)) as i64;
                }
            }
            expect_equal(&format!("{from}..{to}"), &results, &expected)?;
        }
    }
    Ok(())
}

/// Tiles so large that the third would begin beyond every integer.
fn huge_tile(device: &Device, level: i32) -> Outcome {
    let text =
        "func @huge(%to: i64, %R: memref<i64x2>) attributes{subgroup_size=16, work_group_size=[64,1]} {
        %zero = constant 0 : i64
        foreach_tile (%i)=(%zero),(%to) as (%m)<=(4611686018427387904) {
            %second = greater_than %i, %zero : bool
            %at = if %second -> (index) { %b = constant 1 : index yield (%b) }
                  else { %a = constant 0 : index yield (%a) }
            store %m, %R[%at]
        }
    }";
    let program = device.build(text, level)?;
    let half = 1i64 << 62;
    for (to, expected) in
        [(i64::MAX, [half, half - 1]), (half, [half, 0]), (1, [1, 0]), (0, [0, 0]), (-5, [0, 0])]
    {
        let results = device.memory(&[0i64; 2])?;
        run(&program, "huge", [1, 1, 1], &[to.into(), (&results).into()])?;
        expect_equal(&format!("to {to}"), &results, &expected)?;
    }
    Ok(())
}
