//! Tests of what work-groups do together, and of control flow.

use crate::Session;
use virtual_xe::Argument;

pub fn reduction(session: &Session) {
    let numbers: Vec<i32> = (0..1000).map(|i| i * 37 % 101 - 50).collect();
    let (input, output) = (session.upload(&numbers, i32::to_le_bytes), session.room(16 * 4));
    let arguments =
        [Argument::address(input), Argument::address(output), Argument::Local(256), 1000u32.into()];
    session.run([16, 1, 1], [64, 1, 1], &arguments);
    let expected: Vec<i32> = numbers.chunks(64).map(|chunk| chunk.iter().sum()).collect();
    assert_eq!(session.download(output, 16, i32::from_le_bytes), expected);
}

pub fn matmul(session: &Session) {
    const N: usize = 24;
    let matrix = |seed: usize| -> Vec<f32> { (0..N * N).map(|i| (i * seed % 17) as f32 - 8.0).collect() };
    let (a, b) = (matrix(5), matrix(11));
    let arguments = [
        Argument::address(session.upload(&a, f32::to_le_bytes)),
        Argument::address(session.upload(&b, f32::to_le_bytes)),
        Argument::address(session.room(N * N * 4)),
        (N as i32).into(),
    ];
    session.run([3, 3, 1], [8, 8, 1], &arguments);
    let element = |row: usize, column: usize| (0..N).map(|k| a[row * N + k] * b[k * N + column]).sum::<f32>();
    let expected: Vec<f32> = (0..N * N).map(|i| element(i / N, i % N)).collect();
    let Argument::Value(address) = &arguments[2] else { panic!() };
    let address = u64::from_le_bytes(address.as_slice().try_into().unwrap());
    assert_eq!(session.download(address, N * N, f32::from_le_bytes), expected);
}

pub fn histogram(session: &Session) {
    let bytes: Vec<u8> = (0..1000u32).map(|i| ((i * i) >> 3) as u8).collect();
    let (input, counts) = (session.upload(&bytes, u8::to_le_bytes), session.room(64));
    session.run(
        [4, 1, 1],
        [32, 1, 1],
        &[Argument::address(input), Argument::address(counts), 1000u32.into()],
    );
    let mut expected = [0; 16];
    for byte in bytes {
        expected[usize::from(byte & 15)] += 1;
    }
    assert_eq!(session.download(counts, 16, i32::from_le_bytes), expected);
}

pub fn choices(session: &Session) {
    let values = [0, 1, 2, 3, 4, 5, 7, 20, -5, 1_000_000, 6, -1, 13, -5, 1, 9, 5, 2, -5, -5];
    let input = session.upload(&values, i32::to_le_bytes);
    let output = session.room(values.len() * 4);
    session.run([1, 1, 1], [20, 1, 1], &[Argument::address(input), Argument::address(output)]);
    let collatz = |mut n: u32| {
        let mut steps = 0;
        while n != 1 {
            n = if n & 1 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        steps
    };
    let expected: Vec<i32> = (0..)
        .zip(values)
        .map(|(i, value)| {
            let result = match value {
                0 => 7,
                1 => 7,
                2 => 6,
                3 => 4,
                -5 => collatz(i + 1),
                1_000_000 => return 0,
                _ => (0..value.min(10)).filter(|k| k % 3 != 1).sum(),
            };
            match value {
                1 => result * 10,
                5 => -result,
                _ => result,
            }
        })
        .collect();
    assert_eq!(session.download(output, values.len(), i32::from_le_bytes), expected);
}

pub fn subgroups(session: &Session) {
    const ITEMS: i32 = 40;
    let output = session.room(2 * ITEMS as usize * 32);
    session.run([2, 1, 1], [ITEMS as u32, 1, 1], &[Argument::address(output)]);
    let value = |item: i32| item * item % 23;
    let mut expected = Vec::new();
    for item in (0..ITEMS).chain(0..ITEMS) {
        let first = item / 16 * 16;
        let lanes = first..(first + 16).min(ITEMS);
        expected.extend([
            lanes.clone().map(value).sum(),
            (first..item).map(value).sum(),
            (first..=item).map(value).max().unwrap(),
            value(first + 5) + if lanes.clone().any(|item| value(item) == 22) { 100 } else { 0 },
            (0..ITEMS).map(value).sum(),
            (0..=item).map(value).sum(),
            value(17) + 100,
            item % 16 + 100 * (item / 16) + 10_000 * 3 + 1_000_000 * lanes.count() as i32,
        ]);
    }
    assert_eq!(session.download(output, expected.len(), i32::from_le_bytes), expected);
}
