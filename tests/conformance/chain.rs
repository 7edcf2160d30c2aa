//! The fused kernel that tiletc exists for, and one large product.

use crate::Case;
use crate::device::{Device, Memory, Outcome, Program, run};
use crate::numbers::{Exact, Number, Random, gamma};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for level in [0, 2] {
        let name = |ty: &str| format!("chain::fused::{ty}::level{level}");
        cases.push(Case::new(name("f32"), move |device| fused::<f32>(device, level)));
        cases.push(Case::new(name("f64"), move |device| fused::<f64>(device, level)));
    }
    cases.push(Case::new("chain::large", large));
    cases
}

/// Q(:,:,e) ← Q(:,:,e) + K·P(:,:,e)·A_e.
///
/// An entry of K·P is within γ(57) of the exact one, relative to the sum of magnitudes; the second product
/// adds 9 fused multiply-adds, an addition and the product with α: γ(57 + 11) in all.
fn fused<T: Number>(device: &Device, level: i32) -> Outcome {
    T::require(device)?;
    let ty = T::NAME;
    let text = format!(
        "func @fused_kernel(%K: memref<{ty}x56x56>, %P: memref<{ty}x56x9x?>,
                            %A: group<memref<{ty}x9x9>x?>, %Q: memref<{ty}x56x9x?>) {{
            %gid = group_id.x : index
            %p = subview %P[0:56,0:9,%gid] : memref<{ty}x56x9>
            %a = load %A[%gid] : memref<{ty}x9x9>
            %q = subview %Q[0:56,0:9,%gid] : memref<{ty}x56x9>
            %tmp = alloca : memref<{ty}x56x9,local>
            %c0 = constant 0.0 : {ty}
            %c1 = constant 1.0 : {ty}
            gemm.n.n %c1, %K, %p, %c0, %tmp
            gemm.n.n %c1, %tmp, %a, %c1, %q
        }}"
    );
    let program = device.build(&text, level)?;
    [0, 1, 2, 37].into_iter().try_for_each(|members| update::<T>(device, &program, members))
}

/// One step of the fused kernel for so many members, and its check.
fn update<T: Number>(device: &Device, program: &Program, members: usize) -> Outcome {
    const SIZE: usize = 56 * 9;
    let mut random = Random::new(members as u64);
    let k = device.memory(&random.numbers::<T>(56 * 56))?;
    let p = device.memory(&random.numbers::<T>(SIZE * members))?;
    let a: Vec<Memory<T>> =
        (0..members).map(|_| device.memory(&random.numbers::<T>(81))).collect::<Outcome<_>>()?;
    let pointers = device.memory(&a.iter().map(Memory::address).collect::<Vec<u64>>())?;
    let before = random.numbers::<T>(SIZE * members);
    let q = device.memory(&before)?;
    let n = members as i64;
    let arguments = [(&k).into(), (&p).into(), n.into(), (&pointers).into(), n.into(), (&q).into(), n.into()];
    run(program, "fused_kernel", [members, 1, 1], &arguments)?;

    let exact = T::Exact::of::<T>;
    for (e, a) in a.iter().enumerate() {
        let p = &p[e * SIZE..];
        let (mut product, mut sizes) = (Vec::new(), Vec::new());
        for (i, j) in (0..SIZE).map(|n| (n % 56, n / 56)) {
            let (mut sum, mut size) = (exact(T::from_f64(0.0)), 0.0);
            for l in 0..56 {
                let (x, y) = (k[i + 56 * l], p[l + 56 * j]);
                sum = sum.plus(exact(x).times(exact(y)));
                size += (x.to_f64() * y.to_f64()).abs();
            }
            product.push(sum);
            sizes.push(size);
        }
        for (i, j) in (0..SIZE).map(|n| (n % 56, n / 56)) {
            let old = before[e * SIZE + i + 56 * j];
            let (mut sum, mut size) = (exact(old), old.to_f64().abs());
            for l in 0..9 {
                sum = sum.plus(product[i + 56 * l].times(exact(a[l + 9 * j])));
                size += sizes[i + 56 * l] * a[l + 9 * j].to_f64().abs();
            }
            let (got, bound) = (q[e * SIZE + i + 56 * j], gamma(68, T::UNIT) * size);
            if !got.agrees(sum, bound) {
                return Err(format!("Q[{i},{j},{e}] is {got:?}, not {sum:?} ± {bound:e}").into());
            }
        }
    }
    Ok(())
}

/// A product of 2048 × 2048 numbers that are small integers, so that it is exact. The entries repeat with
/// periods that are primes, which no tile is a multiple of.
fn large(device: &Device) -> Outcome {
    const SIZE: usize = 2048;
    const K: usize = 64;
    const PERIODS: (usize, usize) = (61, 67);
    let text = format!(
        "func @large(%A: memref<f32x{SIZE}x{K}>, %B: memref<f32x{K}x{SIZE}>, %C: memref<f32x{SIZE}x{SIZE}>) {{
            %one = constant 1.0 : f32
            %zero = constant 0.0 : f32
            gemm %one, %A, %B, %zero, %C
        }}"
    );
    let left = |i: usize, l: usize| ((i % PERIODS.0 * 7 + l * 3) % 11) as f32 - 5.0;
    let right = |l: usize, j: usize| ((j % PERIODS.1 * 5 + l * 2) % 13) as f32 - 6.0;
    let a: Vec<f32> = (0..SIZE * K).map(|n| left(n % SIZE, n / SIZE)).collect();
    let b: Vec<f32> = (0..SIZE * K).map(|n| right(n % K, n / K)).collect();
    let (a, b) = (device.memory(&a)?, device.memory(&b)?);
    let c = device.memory(&vec![f32::NAN; SIZE * SIZE])?;
    device.run_text(&text, 2, "large", [1, 1, 1], &[(&a).into(), (&b).into(), (&c).into()])?;
    let mut expected = vec![0f32; PERIODS.0 * PERIODS.1];
    for (n, value) in expected.iter_mut().enumerate() {
        let (i, j) = (n % PERIODS.0, n / PERIODS.0);
        *value = (0..K).map(|l| left(i, l) * right(l, j)).sum();
    }
    for (n, &got) in c.iter().enumerate() {
        let (i, j) = (n % SIZE, n / SIZE);
        let value = expected[i % PERIODS.0 + j % PERIODS.1 * PERIODS.0];
        if got != value {
            return Err(format!("C[{i},{j}] is {got}, not {value}").into());
        }
    }
    Ok(())
}
