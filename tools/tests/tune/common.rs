//! Programs in folders of their own, and the tool that tunes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A product for each member of a batch, whose rows are a name.
pub const PRODUCT: &str = "
$ROWS = 24
func @product(%P: memref<f32x$ROWS x9x?>, %A: memref<f32x9x9x?>, %Q: memref<f32x$ROWS x9x?>) {
    %e = group_id.x : index
    %p = subview %P[0:$ROWS,0:9,%e] : memref<f32x$ROWS x9>
    %a = subview %A[0:9,0:9,%e] : memref<f32x9x9>
    %q = subview %Q[0:$ROWS,0:9,%e] : memref<f32x$ROWS x9>
    gemm.n.n 1.0, %p, %a, 1.0, %q
}
";

/// Arguments of the product with so many rows and members.
pub fn arguments(rows: usize, members: usize) -> Vec<String> {
    let memory =
        [("P", format!("random:{rows}x9")), ("A", "random:9x9".to_owned()), ("Q", format!("zeros:{rows}x9"))];
    memory
        .into_iter()
        .flat_map(|(name, value)| ["--arg".to_owned(), format!("{name}={value}x{members}")])
        .collect()
}

pub struct Folder {
    folder: TempDir,
}

pub struct Outcome {
    pub code: i32,
    pub text: String,
    pub errors: String,
}

impl Folder {
    pub fn new(text: &str) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("kernel.ir"), text).unwrap();
        Folder { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn table(&self) -> PathBuf {
        self.folder.path().join("tuning.json")
    }

    pub fn run(&self, command: &str, arguments: &[&str], table: Option<&Path>) -> Outcome {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
        tool.arg(command).args(arguments).current_dir(self.folder.path()).env_remove("TILETC_TUNING_TABLE");
        if let Some(table) = table {
            tool.env("TILETC_TUNING_TABLE", table);
        }
        let output = tool.output().unwrap();
        let [text, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        Outcome { code: output.status.code().unwrap(), text, errors }
    }

    /// Tunes the kernel of the folder.
    pub fn tune(&self, more: &[&str], given: &[String]) -> Outcome {
        let given = given.iter().map(String::as_str);
        let all: Vec<&str> = ["kernel.ir"].into_iter().chain(given).chain(more.iter().copied()).collect();
        self.run("tune", &all, None)
    }
}

/// A product of so many rows, columns and inner extents for each member of a batch.
pub fn product(number: &str, sum: &str, [m, n, k]: [usize; 3]) -> (String, Vec<String>) {
    let text = format!(
        "func @product(%A: memref<{number}x{m}x{k}x?>, %B: memref<{number}x{k}x{n}x?>, %C: memref<{sum}x{m}x{n}x?>) {{
    %e = group_id.x : index
    %a = subview %A[0:{m},0:{k},%e] : memref<{number}x{m}x{k}>
    %b = subview %B[0:{k},0:{n},%e] : memref<{number}x{k}x{n}>
    %c = subview %C[0:{m},0:{n},%e] : memref<{sum}x{m}x{n}>
    gemm.n.n 1.0, %a, %b, 1.0, %c
}}"
    );
    let sizes = [[m, k], [k, n], [m, n]];
    let given = sizes.iter().flat_map(|[rows, cols]| ["--arg".to_owned(), format!("zeros:{rows}x{cols}x1")]);
    (text, given.collect())
}
