//! The functions that `tests/cpp/random_calls` calls: all of the C interface, from the prototypes in the headers.

use std::fmt::Write as _;

use anyhow::Result;

use crate::headers::NOTICE;
use crate::prototypes::{self, Prototype};

/// `functions.inc`: `TILETC_CALL(NAME)` for each function, and before that `TILETC_DECLARE` of those in the headers of
/// runtimes, which cannot be included where a runtime's own header is not installed.
pub fn list(header: &str, of_runtimes: &[String]) -> Result<String> {
    let mut text = NOTICE.to_owned();
    for function in prototypes::read(header)? {
        let _ = writeln!(text, "TILETC_CALL({})", function.name);
    }
    for header in of_runtimes {
        for function in prototypes::read(header)? {
            let _ =
                writeln!(text, "TILETC_DECLARE({})\nTILETC_CALL({})", declaration(&function), function.name);
        }
    }
    Ok(text)
}

/// `tinytc.inc`: the same for functions of tinytc's libraries, which are ours under the names of tinytc.
pub fn list_of_tinytc<'a>(functions: impl IntoIterator<Item = &'a Prototype>) -> String {
    let mut text = NOTICE.to_owned();
    for function in functions {
        let name = function.name.replace("tiletc_", "tinytc_");
        let declaration = declaration(function).replacen(&function.name, &name, 1);
        let _ = writeln!(text, "TILETC_DECLARE({declaration})\nTILETC_CALL({name})");
    }
    text
}

/// A prototype.
fn declaration(function: &Prototype) -> String {
    let parameters: Vec<&str> = function.parameters.iter().map(|parameter| parameter.ty.as_str()).collect();
    format!("{} {}({})", function.result, function.name, parameters.join(", "))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_listed() {
        let own = "TILETC_EXPORT void tiletc_inst_destroy(tiletc_inst_t instr);\n";
        let other =
            "TILETC_EXPORT tiletc_status_t tiletc_cl_a(cl_program *to, cl_uint n, tiletc_prog_t prg);\n";
        let text = list(own, &[other.to_owned()]).unwrap();
        let lines: Vec<&str> = text.strip_prefix(NOTICE).unwrap().lines().collect();
        assert_eq!(
            lines,
            [
                "TILETC_CALL(tiletc_inst_destroy)",
                "TILETC_DECLARE(tiletc_status_t tiletc_cl_a(cl_program *, cl_uint, tiletc_prog_t))",
                "TILETC_CALL(tiletc_cl_a)",
            ]
        );
        let functions = prototypes::read(own).unwrap();
        assert_eq!(
            list_of_tinytc(&functions).strip_prefix(NOTICE).unwrap(),
            "TILETC_DECLARE(void tinytc_inst_destroy(tiletc_inst_t))\nTILETC_CALL(tinytc_inst_destroy)\n"
        );
    }
}
