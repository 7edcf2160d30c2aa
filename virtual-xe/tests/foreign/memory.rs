//! Constant memory, and vectors in memory.

use crate::Session;
use half::f16;
use virtual_xe::Argument;

pub fn lookup(session: &Session) {
    const ITEMS: usize = 24;
    let (output, values) = (session.room(ITEMS * 4), session.room(ITEMS * 8));
    session.run([1, 1, 1], [ITEMS as u32, 1, 1], &[Argument::address(output), Argument::address(values)]);
    let square = |i: usize| (i * i) as i32;
    let starts = [1, 5, 0];
    let expected: Vec<i32> = (0..ITEMS)
        .map(|i| {
            square(i & 7) + 100 * i32::from(b"tensor\0"[i % 7]) + 100_000 * square(starts[i % 3] + (i & 1))
        })
        .collect();
    assert_eq!(session.download(output, ITEMS, i32::from_le_bytes), expected);
    let entries = [(7.0, 0.5, [1.0, 2.0, 3.0]), (-2.0, -1.25, [4.0, 5.0, 6.0])];
    let expected: Vec<f64> = (0..ITEMS)
        .map(|i| {
            let (key, value, tags) = entries[i & 1];
            key * value + tags[i % 3]
        })
        .collect();
    assert_eq!(session.download(values, ITEMS, f64::from_le_bytes), expected);
}

pub fn vectors(session: &Session) {
    const ITEMS: usize = 8;
    let input: Vec<f32> = (0..64).map(|i| (i * 29 % 64) as f32 / 8.0 - 3.0).collect();
    let output = session.room(ITEMS * 20);
    let halves = session.room(ITEMS * 4);
    let arguments = [
        Argument::address(session.upload(&input, f32::to_le_bytes)),
        Argument::address(output),
        Argument::address(halves),
    ];
    session.run([1, 1, 1], [ITEMS as u32, 1, 1], &arguments);
    let (mut threes, mut twos, mut narrow) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..ITEMS {
        let four = &input[1 + 4 * i..];
        let three = &input[3 * i..];
        threes.extend([three[2] + four[0], three[1] + four[1], three[0] + four[2]]);
        let two = &input[3 + 2 * i..];
        narrow.extend([f16::from_f32(two[0]), f16::from_f32(two[1] / 3.0)]);
        let dot = four[0] + 2.0 * four[1] + 3.0 * four[2] + 4.0 * four[3];
        twos.extend([two[0] + dot, input[3] + input[15]]);
    }
    threes.extend(twos);
    assert_eq!(session.download(output, ITEMS * 5, f32::from_le_bytes), threes);
    assert_eq!(session.download(halves, ITEMS * 2, f16::from_le_bytes), narrow);
}
