//! Asynchronous copies, output, atomic accesses with an order and without a scope, and a small machine.

use crate::Session;
use half::f16;
use std::num::NonZeroUsize;
use virtual_xe::{Argument, Checks, Launch};

pub fn staging(session: &Session) {
    const COUNT: usize = 20;
    let numbers: Vec<f32> = (0..2 * COUNT).map(|i| (i * 7 % 23) as f32 - 4.0).collect();
    let (input, output) =
        (session.upload(&numbers, f32::to_le_bytes), session.upload(&[-1f32; 6 * COUNT], f32::to_le_bytes));
    let arguments = [
        Argument::address(input),
        Argument::address(output),
        Argument::Local(COUNT as u64 * 4),
        (COUNT as u32).into(),
    ];
    // More work-items than a subgroup has lanes, and elements for some of them only.
    session.run([2, 1, 1], [17, 1, 1], &arguments);
    let mut expected = vec![-1f32; 6 * COUNT];
    for (i, number) in numbers.iter().enumerate() {
        expected[3 * i] = 2.0 * number;
    }
    for group in 0..2 {
        for i in 0..4 {
            expected[3 * (group * COUNT + i) + 1] = numbers[4 * i + 1];
        }
    }
    assert_eq!(session.download(output, 6 * COUNT, f32::from_le_bytes), expected);
}

pub fn printing(session: &Session) {
    let numbers: Vec<i32> = (0..16).map(|i| i * 37 - 50).collect();
    let input = session.upload(&numbers, i32::to_le_bytes);
    let printed = session.run([2, 1, 1], [8, 1, 1], &[Argument::address(input)]);
    let line = |i: i32| {
        let number = numbers[i as usize];
        let name = if i & 1 == 1 { "odd" } else { "even" };
        let letter = char::from(b'a' + i as u8);
        let fraction = number as f32 / 4.0;
        format!("{name} {i}: {fraction:5.2}|{number:<6x}|{:+}|{letter}|%\n", -i)
    };
    let vectors = "1,-2,3,-4 a,ffff 0.4,-1.5\n";
    let wide = "-1099511627776 9223372036854775808 1.234568e+04 0.0001\n";
    let expected = [line(0), line(5), vectors.to_owned(), wide.to_owned(), line(10), line(15)].concat();
    assert_eq!(printed, expected);
    // Work-groups on threads of their own print in the same order.
    let launch = Launch { local_size: Some([1; 3]), checks: Checks::NONE, ..Launch::new([16, 1, 1]) };
    let once = Launch { threads: NonZeroUsize::new(1), ..launch.clone() };
    let threads = Launch { threads: NonZeroUsize::new(4), ..launch };
    let arguments = [Argument::address(input)];
    assert_eq!(session.launch(&threads, &arguments), session.launch(&once, &arguments));
}

pub fn tickets(session: &Session) {
    const ITEMS: usize = 4 * 24;
    let next = session.upload(&[0i32; 2], i32::to_le_bytes);
    let (order, halves) = (session.room(ITEMS * 4), session.room(ITEMS * 2));
    let input: Vec<f16> = (0..ITEMS).map(|i| f16::from_f32(i as f32 / 8.0 - 3.0)).collect();
    let arguments = [
        Argument::address(next),
        Argument::address(order),
        Argument::address(halves),
        Argument::address(session.upload(&input, f16::to_le_bytes)),
    ];
    session.run([4, 1, 1], [24, 1, 1], &arguments);
    assert_eq!(session.download(next, 2, i32::from_le_bytes), [ITEMS as i32, 42 + 3]);
    let mut order = session.download(order, ITEMS, i32::from_le_bytes);
    order.sort_unstable();
    assert_eq!(order, (0..ITEMS as i32).collect::<Vec<_>>());
    let expected: Vec<f16> = input.iter().map(|&h| f16::from_f64(h.to_f64() * 2.0 + 0.5)).collect();
    assert_eq!(session.download(halves, ITEMS, f16::from_le_bytes), expected);
}

pub fn programs(session: &Session) {
    const ITEMS: usize = 2 * 32;
    const CODE: [u8; 8] = [0, 2, 1, 4, 3, 9, 2, 0];
    const START: i16 = -7;
    const SCALE: i32 = 5;
    let mut code = CODE.to_vec();
    code.extend(START.to_le_bytes());
    code.extend([0; 2]);
    code.extend(SCALE.to_le_bytes());
    let numbers: Vec<i32> = (0..ITEMS as i32).map(|i| i * i % 61 - 20).collect();
    let (input, output) = (session.upload(&numbers, i32::to_le_bytes), session.room(ITEMS * 4));
    let sums = session.room(4 * 4);
    let arguments =
        [Argument::Value(code), Argument::address(input), Argument::address(output), Argument::address(sums)];
    session.run([2, 1, 1], [32, 1, 1], &arguments);
    let run = |&number: &i32| {
        let mut stack = vec![i32::from(START)];
        for (at, op) in (0..).zip(CODE) {
            let last = stack.len() - 1;
            match op {
                0 => stack[last] += number,
                1 => stack[last] *= SCALE,
                2 => stack.push(stack[last] ^ at),
                3 => {
                    let top = stack.pop().unwrap();
                    stack[last - 1] -= top;
                }
                4 if number & 1 == 1 => break,
                4 => {}
                _ => stack[last] = -stack[last],
            }
        }
        stack.pop().unwrap()
    };
    let expected: Vec<i32> = numbers.iter().map(run).collect();
    assert_eq!(session.download(output, ITEMS, i32::from_le_bytes), expected);
    let of_groups = expected.chunks(32).flat_map(|group| [group.iter().sum(), *group.iter().min().unwrap()]);
    assert_eq!(session.download(sums, 4, i32::from_le_bytes), of_groups.collect::<Vec<i32>>());
}

pub fn counting(session: &Session) {
    const ITEMS: usize = 3 * 40;
    let bytes: Vec<u8> = (0..4 * ITEMS).map(|i| (i * i / 5) as u8).collect();
    let counts = session.upload(&[0i32; 9], i32::to_le_bytes);
    let last = session.upload(&[0i32], i32::to_le_bytes);
    let arguments = [
        Argument::address(session.upload(&bytes, u8::to_le_bytes)),
        Argument::address(counts),
        Argument::address(last),
    ];
    session.run([3, 1, 1], [40, 1, 1], &arguments);
    let mut expected = [0; 9];
    for &byte in &bytes[..ITEMS] {
        expected[usize::from(byte & 7)] += 1;
    }
    expected[8] = bytes.chunks(4).map(|four| i32::from(four[3])).sum();
    assert_eq!(session.download(counts, 9, i32::from_le_bytes), expected);
    let most = bytes[..ITEMS].iter().max().map(|&byte| i32::from(byte));
    assert_eq!(session.download(last, 1, i32::from_le_bytes).first().copied(), most);
}
