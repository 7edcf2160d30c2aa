//! Structures by value, private arrays, and pointers that functions take and give.

use crate::Session;
use virtual_xe::Argument;

#[derive(Clone, Copy)]
struct Inner {
    pair: [i32; 2],
    flag: i8,
}

#[derive(Clone, Copy)]
struct Outer {
    parts: [Inner; 2],
    scale: f32,
    offset: i64,
}

impl Outer {
    fn new(seed: i32) -> Outer {
        let inner = |seed: i32| Inner { pair: [seed * 3 - 7, 11 - seed * 5], flag: seed as i8 };
        Outer {
            parts: [inner(seed), inner(seed + 1)],
            scale: seed as f32 + 0.5,
            offset: i64::from(seed) << 33,
        }
    }

    /// As OpenCL C lays it out.
    fn bytes(&self) -> [u8; 48] {
        let mut bytes = [0; 48];
        for (place, part) in self.parts.iter().enumerate() {
            bytes[place * 16..][..4].copy_from_slice(&part.pair[0].to_le_bytes());
            bytes[place * 16 + 4..][..4].copy_from_slice(&part.pair[1].to_le_bytes());
            bytes[place * 16 + 8] = part.flag as u8;
        }
        bytes[32..36].copy_from_slice(&self.scale.to_le_bytes());
        bytes[40..].copy_from_slice(&self.offset.to_le_bytes());
        bytes
    }
}

pub fn structures(session: &Session) {
    const ITEMS: usize = 10;
    let argument = Outer::new(4);
    let values: Vec<Outer> = (0..ITEMS).map(|i| Outer::new(i as i32 - 3)).collect();
    let input = session.upload(&values, |value: Outer| value.bytes());
    let output = session.room(ITEMS * 8);
    let arguments =
        [Argument::Value(argument.bytes().to_vec()), Argument::address(input), Argument::address(output)];
    session.run([1, 1, 1], [ITEMS as u32, 1, 1], &arguments);
    let expected: Vec<i64> = (0..)
        .zip(values)
        .map(|(item, mut own)| {
            for (place, add) in own.parts[0].pair.iter_mut().zip(argument.parts[1].pair) {
                *place += add;
            }
            let [a, b] = own.parts;
            let twisted = Inner { pair: [a.pair[1], a.pair[0]], flag: !a.flag };
            let array: [Inner; 5] = std::array::from_fn(|i| if i & 1 == 1 { twisted } else { b });
            let mut sum = argument.offset + own.offset;
            for i in 0..5 {
                let part =
                    array[(i * 3 + item) % 5].pair[0] * 7 + array[i].pair[1] + i32::from(array[i].flag);
                sum = sum.wrapping_mul(31).wrapping_add(part.into());
            }
            sum.wrapping_add((own.scale * argument.scale) as i64)
        })
        .collect();
    assert_eq!(session.download(output, ITEMS, i64::from_le_bytes), expected);
}

pub fn pointers(session: &Session) {
    const ITEMS: usize = 24;
    let data: Vec<i32> = (0..ITEMS as i32).map(|i| i * 3 + 1).collect();
    let address = session.upload(&data, i32::to_le_bytes);
    session.run([1, 1, 1], [ITEMS as u32, 1, 1], &[Argument::address(address)]);
    let expected: Vec<i32> = data
        .into_iter()
        .enumerate()
        .map(|(item, mut here)| {
            let (mut shared, mut own) = (10 * item as i32, [1, 2, 3, 4]);
            let is_shared = item >> 1 & 1 == 1;
            fn bump(place: &mut i32, by: i32) -> i32 {
                std::mem::replace(place, *place + by)
            }
            let mut sum =
                bump(if is_shared { &mut shared } else { &mut own[item & 3] }, 5) + bump(&mut here, 100);
            sum += bump(if item & 1 == 1 { &mut here } else { &mut own[1] }, 3);
            sum += if is_shared { 2000 } else { 4000 };
            here * 100_000 + sum + own[0] + own[1] + shared + i32::from(is_shared)
        })
        .collect();
    assert_eq!(session.download(address, ITEMS, i32::from_le_bytes), expected);
}
