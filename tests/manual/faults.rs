//! The checks find what they look for: each is given a page with a fault.

use crate::names::{self, Names};
use crate::page::Page;
use crate::{Outcome, coverage, cpp, examples, links, references, trial};
use libtest_mimic::Trial;
use std::path::Path;
use tiletc::status::Status;

const PAGE: &str = "\
# A page with `code` in its heading

[here](#a-page-with-code-in-its-heading) [there](SUMMARY.md) [far](https://example.org)

| instruction | meaning |
| --- | --- |
| `add` `sub` | sum |
| `neg %a` | negative |

```tensor
func @f(%a: f32) {
    %b = add %a, %a : f32
}
```
";

/// One test a check.
pub fn trials() -> Vec<Trial> {
    vec![
        trial("faults: links", broken_links),
        trial("faults: tables", incomplete_tables),
        trial("faults: examples", bad_examples),
        trial("faults: fences", bad_fences),
        trial("faults: C++", strange_cpp),
        trial("faults: references", strange_references),
        trial("faults: names", unknown_names),
        trial("faults: lines", bad_lines),
        trial("faults: runs", bad_runs),
    ]
}

fn unknown_names() -> Outcome {
    let set = |name: &str| [name.to_owned()].into();
    let names = Names {
        passes: set("tile-order"),
        options: set("--explain"),
        options_of_tools: set("--explain"),
        variables: set("TILETC_LOG"),
        variables_of_users: set("TILETC_LOG"),
        flags: set("tf32"),
    };
    names.check(&page("`tile-order` of work-groups\n\n```\nopt -ptile-order -ftf32 --explain\n```\n"))?;
    names
        .check(&page("`TILETC_LOG` `ir_division_by_zero` `tiletc_status_success` `tiletc_status_t` `--`"))?;
    for (text, kind) in [
        ("`tile-tiling`", "pass tile-tiling"),
        ("```\ntile-order ─ tile-tiling\n```", "pass tile-tiling"),
        ("`tiletc-opt -ptile-tiling`", "pass -ptile-tiling"),
        ("```console\n$ tiletc compile --explian\n```", "option --explian"),
        ("`-ftf33`", "flag -ftf33"),
        ("`TILETC_LOGS`", "variable TILETC_LOGS"),
        ("`ir_division_by_nothing`", "status ir_division_by_nothing"),
        ("`tiletc_status_failure`", "status tiletc_status_failure"),
    ] {
        finds(names.check(&page(text)), &format!("there is no {kind}"))?;
    }

    let documented = |text: &str| names.are_documented(&[Page::parse("docs/src/tools.md".to_owned(), text)]);
    let all = "`--explain`\n\n| variable |\n| --- |\n| `TILETC_LOG` |\n";
    documented(all)?;
    finds(
        documented(&format!("{all}| `TILETC_LOG` |\n")),
        "tools.md:6: TILETC_LOG: stands in a table before",
    )?;
    finds(documented("`--explain`"), "TILETC_LOG: in no table")?;
    finds(documented(&all.replace("explain", "help")), "--explain: not on the page")?;
    let pipeline =
        |text| names::has_pipeline(&[Page::parse("docs/src/compiler/pipeline.md".to_owned(), text)]);
    finds(
        pipeline("    check-ir\n    tile-order # tile-layout"),
        "[\"check-ir\", \"tile-order\"]\nare listed",
    )
}

fn bad_runs() -> Outcome {
    let page = page(
        "```tensor\nfunc @f(%a: i32, %x: memref<i32x2>) {\n    %i = constant 1 : index\n    store %a, %x[%i]\n}\n```",
    );
    let run = |contents: &str| examples::runs_as_told(page.blocks.first(), contents);
    run("%a = 7\n%x = 1 2 -> 1 7")?;
    finds(run("%a = 7\n%x = 1 2 -> 7 2"), "%x is [\"1\", \"7\"] afterwards")?;
    finds(run("%a = 7\n%x = 1 2"), "%x is [\"1\", \"7\"] afterwards")?;
    finds(run("%x = 1 2"), "the parameters are %a, %x")?;
    finds(run("%a = 7\n%x = 1 2 3"), "%x: 12 bytes for 8")?;
    finds(run("%a = seven\n%x = 1 2"), "`seven` is no number")?;
    finds(examples::runs_as_told(None, ""), "no example stands above")
}

fn page(text: &str) -> Page {
    Page::parse("docs/src/page.md".to_owned(), text)
}

/// An error unless the check fails and says these words.
fn finds(check: Outcome, words: &str) -> Outcome {
    match check {
        Err(message) if message.contains(words) => Ok(()),
        Err(message) => Err(format!("`{words}` is not in:\n{message}")),
        Ok(()) => Err(format!("not found: {words}")),
    }
}

fn broken_links() -> Outcome {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let check = |text: &str| {
        let page = page(text);
        links::check(root, &page, std::slice::from_ref(&page))
    };
    check(PAGE)?;
    finds(check("a\n\n[x](nowhere.md)"), "docs/src/page.md:3: nowhere.md: there is no such file")?;
    finds(check("[x](#nothing)"), "there is no such heading")?;
    finds(check("[x](../decisions)"), "what is in the book")?;
    finds(check("[x](../../../x)"), "outside of the project")
}

fn incomplete_tables() -> Outcome {
    let check = |words: &[&'static str]| coverage::is_complete(&[page(PAGE)], "instruction", words.to_vec());
    check(&["add", "sub", "neg"])?;
    finds(check(&["add", "sub", "neg", "abs"]), "abs: in no table")?;
    finds(check(&["add", "neg"]), "docs/src/page.md:7: sub: there is no such instruction")?;
    finds(coverage::is_complete(&[page(PAGE), page(PAGE)], "instruction", vec!["add"]), "in a table before")?;
    finds(coverage::is_shown(&page(PAGE)), "page.md:8: neg %a: in no example")
}

fn bad_examples() -> Outcome {
    let function = |line: &str| format!("func @f(%a: i32) {{\n{line}\n}}\n");
    examples::compiles(&function("%b = neg %a : i32"), "pvc")?;
    finds(examples::compiles(&function("%b = cast %a"), "pvc"), "expected")?;
    let refused = |line: &str, status| examples::is_refused(&function(line), "pvc", status);
    refused("%b = cast %a : bool", Status::IrExpectedNumber)?;
    finds(refused("%b = cast %a : bool", Status::IrForbiddenCast), "refused with ir_expected_number")?;
    finds(refused("%b = neg %a : i32", Status::ParseError), "it compiles")?;
    let announced = |text| {
        let block = page(text).blocks.pop().ok_or("no block")?;
        examples::is_announced(&block.announced, Status::ParseError)
    };
    announced("This is a `parse_error`:\n\n```tensor,error=parse_error\n```")?;
    finds(announced("`parse_error`\n# Heading\n```tensor,error=parse_error\n```"), "does not name")
}

fn bad_fences() -> Outcome {
    let parse = |info| examples::Expected::parse(info).map(|_| ());
    parse("rust")?;
    parse("tensor,error=ir_forbidden_cast")?;
    finds(parse("tensor,error=no_such"), "no status")?;
    finds(parse("tensor,error=parse_error,passes=check-ir"), "an outcome and a refusal")?;
    finds(parse("tensor,ignore"), "not understood")
}

fn strange_references() -> Outcome {
    let page = |text: &str| Page::parse("docs/src/language/page.md".to_owned(), text);
    let sections = references::Sections::read(&[page("# Page\n\n## 3.10 Loops\n\n## 3.2 Branches\n")])?;
    // Put together here, so that this file does not refer to sections that are not there.
    let check = |numbers: &str| {
        let found = sections.check("a.rs", &format!("//! Text\n//! (language {} {numbers}).", "reference"));
        if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
    };
    check("3")?;
    check("3.10 and 3.2")?;
    check("3.2, with 4 others")?;
    finds(check("3.1"), "a.rs:2: there is no language reference 3.1")?;
    finds(check("3.2, 3.3"), "no language reference 3.3")?;
    finds(check("3.2–3.4"), "no language reference 3.4")?;
    finds(references::Sections::read(&[page("## 1 A\n\n## 1 B\n")]).map(drop), "section 1 of the")
}

fn bad_lines() -> Outcome {
    let checks = |lines: &str, spmd| examples::checks(&examples::in_setting(lines, spmd)?);
    checks("%a = add %n, %n : i32\n", false)?;
    checks("%a = subgroup_local_id : i32\n", true)?;
    finds(checks("%a = add %n, %f : i32\n", false), "operand")?;
    finds(checks("%a = subgroup_local_id : i32\n", false), "SPMD")
}

fn strange_cpp() -> Outcome {
    let program = "#include <a>\nint f() {\n    int  a = 1;\n\n    return a;\n}\n";
    cpp::is_part("#include <a>\n\nint a  = 1;\nreturn a;\n", program)?;
    finds(cpp::is_part("#include <b>\nint a = 1;", program), "not in tests/cpp/manual.cpp: #include <b>")?;
    finds(cpp::is_part("int a = 1;\n}", program), "in one piece")?;
    cpp::is_all(program, &format!("// Licence\n\n{program}"))?;
    finds(cpp::is_all(program, &program.replace("= 1", "= 2")), "differ")?;
    finds(cpp::is_all("", program), "differ")
}
