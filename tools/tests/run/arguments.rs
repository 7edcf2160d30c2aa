//! Every form of an argument.

use crate::files;
use crate::{Skip, TILETC, path, program, run, summary, tool};
use std::process::Command;

crate::tests! {
    numbers_of_every_type,
    memory_is_filled,
    random_numbers_are_those_of_the_seed,
    files_of_every_type_come_back,
    files_in_row_major_order_are_turned,
    numbers_of_four_bits_have_a_byte_in_files,
    strides_leave_gaps,
    open_sizes_are_told_to_the_kernel,
    groups_are_tables_of_pointers,
    groups_move_their_pointers,
    arguments_go_by_name_or_in_order,
    attributes_are_promises,
}

/// Stores a number where it can be seen.
fn stored(ty: &str, text: &str) -> String {
    let kernel =
        format!("func @f(%x: {ty}, %A: memref<{ty}x1>) {{ %i = constant 0 : index store %x, %A[%i] }}");
    let name = format!("number-{ty}.ir");
    let outcome =
        run(&[program(&name, &kernel), "--arg", &format!("x={text}"), "--arg", "A=zeros"]).succeeded();
    summary(&outcome, "A").lines().last().unwrap().trim().to_owned()
}

fn numbers_of_every_type() -> Result<(), Skip> {
    for (ty, text, expected) in [
        ("i8", "-128", "-128"),
        ("i16", "0x7fff", "32767"),
        ("i32", "-0x10", "-16"),
        ("i64", "9223372036854775807", "9223372036854775807"),
        ("index", "7", "7"),
        ("f16", "1.5", "1.5"),
        ("bf16", "-0.1", "-0.100097656"),
        ("f32", "0.1", "0.1"),
        ("f64", "1e-300", "1e-300"),
        ("f32", "-inf", "-inf"),
        ("c32", "1.5-2i", "1.5-2.0i"),
        ("c64", "3", "3.0+0.0i"),
    ] {
        assert_eq!(stored(ty, text), expected, "{text} : {ty}");
    }
    Ok(())
}

const COPY: &str = "func @copy(%A: memref<TYPEx4x3>, %B: memref<TYPEx4x3>) {
    %one = constant ONE : TYPE
    %zero = constant ZERO : TYPE
    axpby.n %one, %A, %zero, %B
}";

/// A program that copies a 4×3 matrix.
fn copy(ty: &str) -> String {
    let [one, zero] = if ty.starts_with(['i']) { ["1", "0"] } else { ["1.0", "0.0"] };
    let complex = |part: &str| if ty.starts_with('c') { format!("[{part},0.0]") } else { part.to_owned() };
    COPY.replace("TYPE", ty).replace("ONE", &complex(one)).replace("ZERO", &complex(zero))
}

fn memory_is_filled() -> Result<(), Skip> {
    let name = program("fill.ir", &copy("f32"));
    let outcome = run(&[name, "--arg", "A=iota", "--arg", "B=random"]).succeeded();
    let rows = "    0.0  4.0  8.0\n     1.0  5.0  9.0\n     2.0  6.0 10.0\n     3.0  7.0 11.0\n";
    assert!(summary(&outcome, "B").ends_with(rows), "{}", outcome.text());
    assert_eq!(summary(&outcome, "A"), "A: f32 4x3, unchanged\n");
    let outcome = run(&[name, "--arg", "A=zeros:4x3", "--arg", "B=iota"]).succeeded();
    assert!(summary(&outcome, "B").contains("min 0.0  max 0.0  mean 0.000000"), "{}", outcome.text());
    // Integers that do not fit are wrapped.
    let name = program(
        "fill-i8.ir",
        "func @f(%A: memref<i8x300>, %B: memref<i8>) {
        %i = constant 200 : index
        %x = load %A[%i] : i8
        store %x, %B[]
    }",
    );
    let outcome = run(&[name, "--arg", "A=iota", "--arg", "B=zeros"]).succeeded();
    assert!(summary(&outcome, "B").ends_with("\n    -56\n"), "{}", outcome.text());
    Ok(())
}

/// SplitMix64, whose first outputs for the seed 1234567 are published with its reference implementation.
fn random_numbers_are_those_of_the_seed() -> Result<(), Skip> {
    let outputs: [u64; 5] = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ];
    let name = program("random.ir", "func @f(%A: memref<f64x5>, %B: memref<i16x5>) { }");
    let files = ["--save", "A=random-a.npy", "--save", "B=random-b.npy"];
    run(&[&[name, "--arg", "random(1234567)", "--arg", "random(1234567)"], &files[..]].concat()).succeeded();
    let reals = files::bytes(&outputs, |output| ((output >> 56) as f64 / 128.0 - 1.0).to_le_bytes());
    assert_eq!(files::read(&path("random-a.npy")).1, reals);
    let integers = files::bytes(&outputs, |output| ((output >> 60) as i16 - 8).to_le_bytes());
    assert_eq!(files::read(&path("random-b.npy")).1, integers);
    Ok(())
}

/// Names that NumPy has for each type.
const TYPES: [(&str, &str, usize); 11] = [
    ("i8", "|i1", 1),
    ("i16", "<i2", 2),
    ("i32", "<i4", 4),
    ("i64", "<i8", 8),
    ("index", "<i8", 8),
    ("bf16", "<u2", 2),
    ("f16", "<f2", 2),
    ("f32", "<f4", 4),
    ("f64", "<f8", 8),
    ("c32", "<c8", 8),
    ("c64", "<c16", 16),
];

fn files_of_every_type_come_back() -> Result<(), Skip> {
    for (ty, numpy, size) in TYPES {
        // Small bytes make normal numbers of every type, so that nothing is lost on the way.
        let data: Vec<u8> = (0..12 * size).map(|place| 0x30 + (place % 13) as u8).collect();
        let (from, to) = (format!("in-{ty}.npy"), format!("out-{ty}.npy"));
        files::write(&path(&from), numpy, true, "4, 3", &data);
        let name = format!("copy-{ty}.ir");
        let arguments = [program(&name, &copy(ty)), "--arg", &format!("A={from}"), "--arg", "B=zeros"];
        let outcome = run(&[&arguments[..], &["--save", &format!("B={to}")]].concat()).succeeded();
        let header = format!("{{'descr':'{numpy}','fortran_order':True,'shape':(4,3,),}}");
        assert_eq!(files::read(&path(&to)), (header, data.clone()), "{ty}");
        assert_eq!(outcome.text().contains("NumPy has no bf16"), ty == "bf16");
        // The other order of bytes.
        let swapped = |part: usize| {
            data.chunks(part).flat_map(|number| number.iter().rev().copied()).collect::<Vec<u8>>()
        };
        let part = if ty.starts_with('c') { size / 2 } else { size };
        files::write(&path(&from), &numpy.replace(['<', '|'], ">"), true, "4, 3", &swapped(part));
        run(&[&arguments[..], &["--save", &format!("B={to}")]].concat()).succeeded();
        assert_eq!(files::read(&path(&to)).1, data, "{ty}");
    }
    Ok(())
}

fn files_in_row_major_order_are_turned() -> Result<(), Skip> {
    let numbers: Vec<f32> = (0..24).map(|number| number as f32).collect();
    files::write(
        &path("row.npy"),
        "<f4",
        false,
        "2, 3, 4",
        &files::bytes(&numbers, |number| number.to_le_bytes()),
    );
    let name = program("row.ir", "func @f(%A: memref<f32x2x3x4>) { }");
    run(&[name, "--arg", "row.npy", "--save", "A=column.npy"]).succeeded();
    let mut expected = Vec::new();
    for k in 0..4 {
        for j in 0..3 {
            for i in 0..2 {
                expected.push((12 * i + 4 * j + k) as f32);
            }
        }
    }
    assert_eq!(files::floats(&path("column.npy")), expected);
    Ok(())
}

fn numbers_of_four_bits_have_a_byte_in_files() -> Result<(), Skip> {
    let text = "func @f(%A: memref<i4x4x2,strided<1,6>>, %B: memref<i8x4x2>) {
        foreach (%i,%j)=(0,0),(4,2) {
            %a = load %A[%i,%j]
            %b = cast %a : i8
            store %b, %B[%i,%j]
        }
    }";
    let data = [-8_i8, 7, -1, 0, 3, -5, 6, 1].map(i8::cast_unsigned);
    files::write(&path("four.npy"), "|i1", true, "4, 2", &data);
    let name = program("four.ir", text);
    let arguments = [name, "--arg", "four.npy", "--arg", "zeros"];
    run(&[&arguments[..], &["--save", "A=four-a.npy", "--save", "B=four-b.npy"]].concat()).succeeded();
    assert_eq!(files::read(&path("four-a.npy")).1, data);
    assert_eq!(files::read(&path("four-b.npy")).1, data);
    files::write(&path("four.npy"), "|i1", true, "4, 2", &data.map(|number| number ^ 8));
    run(&arguments).failed(1, &["it holds -16, which is no i4"]);
    // The last byte holds one number.
    let name = program("odd.ir", "func @f(%A: memref<i4x?>) { }");
    files::write(&path("odd.npy"), "|i1", true, "3,", &data[..3]);
    run(&[name, "--arg", "odd.npy", "--save", "A=odd-a.npy"]).succeeded();
    assert_eq!(files::read(&path("odd-a.npy")).1, data[..3]);
    Ok(())
}

fn strides_leave_gaps() -> Result<(), Skip> {
    // The same memory as a strided matrix and as the vector with its gaps would be one too many; so the kernel
    // reads the strided matrix by strides of its own.
    let text = "func @f(%A: memref<f32x3x2,strided<2,8>>, %B: memref<f32x3x2>) {
        %one = constant 1.0 : f32
        %zero = constant 0.0 : f32
        axpby.n %one, %A, %zero, %B
    }";
    let outcome = run(&[program("strided.ir", text), "--arg", "iota", "--arg", "zeros"]).succeeded();
    assert!(
        summary(&outcome, "B").ends_with("    0.0 3.0\n    1.0 4.0\n    2.0 5.0\n"),
        "{}",
        outcome.text()
    );
    // And what is written between the gaps is found.
    let text = text.replace("%A, %zero, %B", "%B, %zero, %A");
    let outcome = run(&[program("strided-out.ir", &text), "--arg", "zeros", "--arg", "iota"]).succeeded();
    assert!(
        summary(&outcome, "A").ends_with("    0.0 3.0\n    1.0 4.0\n    2.0 5.0\n"),
        "{}",
        outcome.text()
    );
    Ok(())
}

fn open_sizes_are_told_to_the_kernel() -> Result<(), Skip> {
    let text = "func @f(%A: memref<f32x?x3x?,strided<1,?,?>>, %S: memref<indexx2>) {
        %m = size %A[0] : index
        %n = size %A[2] : index
        %c0 = constant 0 : index
        %c1 = constant 1 : index
        store %m, %S[%c0]
        store %n, %S[%c1]
        %one = constant 1.0 : f32
        %c2 = constant 2 : index
        store %one, %A[%c1,%c2,%c1]
    }";
    let arguments = ["--arg", "A=zeros:2x3x4", "--arg", "S=zeros", "--save", "A=open.npy"];
    let outcome = run(&[&[program("open.ir", text)], &arguments[..]].concat()).succeeded();
    assert!(summary(&outcome, "S").ends_with("\n    2 4\n"), "{}", outcome.text());
    // Column-major, packed: element (1,2,1) is number 1 + 2·2 + 1·6.
    let expected: Vec<f32> = (0..24).map(|place| if place == 11 { 1.0 } else { 0.0 }).collect();
    assert_eq!(files::floats(&path("open.npy")), expected);
    Ok(())
}

fn groups_are_tables_of_pointers() -> Result<(), Skip> {
    let text = "func @f(%A: group<memref<f32x2x?>x?>, %S: memref<indexx?>) {
        %g = group_id.x : index
        %a = load %A[%g] : memref<f32x2x?>
        %n = size %a[1] : index
        store %n, %S[%g]
        %c1 = constant 1 : index
        %x = constant -1.0 : f32
        store %x, %a[%c1,%c1]
    }";
    let name = program("group.ir", text);
    let outcome =
        run(&[name, "--groups", "3", "--arg", "A=iota:2x3x3", "--arg", "S=zeros:3", "--save", "A=group.npy"])
            .succeeded();
    assert!(summary(&outcome, "S").ends_with("\n    3 3 3\n"), "{}", outcome.text());
    let expected: Vec<f32> = (0..18).map(|place| if place % 6 == 3 { -1.0 } else { place as f32 }).collect();
    assert_eq!(files::floats(&path("group.npy")), expected);
    // The members of a group come from a file in the same way.
    let saved = ["--arg", "A=group.npy", "--arg", "S=zeros:3", "--save", "A=group-again.npy"];
    run(&[&[name, "--groups", "3"], &saved[..]].concat()).succeeded();
    assert_eq!(files::floats(&path("group-again.npy")), expected);
    Ok(())
}

fn groups_move_their_pointers() -> Result<(), Skip> {
    for (ty, value) in
        [("offset: ?", "iota:4x2,offset=3"), ("offset: 5", "iota"), ("offset: 5", "iota:4x2,offset=5")]
    {
        let text = format!(
            "func @f(%A: group<memref<f32x4>x2, {ty}>, %B: memref<f32x4x2>) {{
                %g = group_id.x : index
                %a = load %A[%g] : memref<f32x4>
                %b = subview %B[0:4,%g] : memref<f32x4>
                %one = constant 1.0 : f32
                %zero = constant 0.0 : f32
                axpby.n %one, %a, %zero, %b
            }}"
        );
        let arguments =
            ["--groups", "2", "--arg", &format!("A={value}"), "--arg", "B=zeros", "--save", "B=moved.npy"];
        run(&[&[program("moved.ir", &text)], &arguments[..]].concat()).succeeded();
        assert_eq!(files::floats(&path("moved.npy")), [0., 1., 2., 3., 4., 5., 6., 7.], "{ty} {value}");
    }
    Ok(())
}

fn arguments_go_by_name_or_in_order() -> Result<(), Skip> {
    let name = program(
        "order.ir",
        "func @f(%a: i32, %0: i32, %S: memref<i32x2>) {
        %i = constant 0 : index
        %j = constant 1 : index
        store %a, %S[%i]
        store %0, %S[%j]
    }",
    );
    for values in [
        ["1", "2", "zeros"],
        ["S=zeros", "1", "2"],
        ["0=2", "1", "zeros"],
        ["%a=1", "%0=2", "%S=zeros"],
        ["S=zeros", "0=2", "a=1"],
    ] {
        let arguments: Vec<&str> = values.iter().flat_map(|value| ["--arg", *value]).collect();
        let outcome = run(&[&[name], arguments.as_slice()].concat()).succeeded();
        assert!(summary(&outcome, "S").ends_with("\n    1 2\n"), "{values:?}: {}", outcome.text());
    }
    Ok(())
}

fn attributes_are_promises() -> Result<(), Skip> {
    let text =
        "func @f(%A: memref<f32x?x3> {stride_gcd=[1,4]}, %B: group<memref<f32x4>x?> {alignment=4096}) {}";
    let name = program("promises.ir", text);
    run(&[name, "--arg", "A=zeros:8x3", "--arg", "B=zeros:4x2"]).succeeded();
    let refused = run(&[name, "--arg", "A=zeros:6x3", "--arg", "B=zeros:4x2"]);
    let message = "kernel f: argument 3 (%A): the kernel was compiled for stride_gcd=[1,4], but the stride of mode 1 is 6";
    refused.failed(1, &[message, "Error (8192): an argument is not what an attribute promises"]);
    let mut unchecked = Command::new(TILETC);
    unchecked.args(["run", name, "--arg", "A=zeros:6x3", "--arg", "B=zeros:4x2"]);
    unchecked.current_dir(tool::folder());
    tool::outcome(unchecked.env("TILETC_CHECK_ARGUMENTS", "0"), "").succeeded();
    Ok(())
}
