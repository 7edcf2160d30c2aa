// Colours of kernel texts in the book. `cargo xtask docs` fills in the words of the language.
(() => {
    const words = "@WORDS@";
    const types = "@TYPES@";
    hljs.registerLanguage("tensor", () => ({
        keywords: { $pattern: /[.!]?[a-z][a-z0-9_]*/, keyword: words, type: types },
        contains: [
            { className: "comment", begin: ";", end: "$" },
            { className: "string", begin: '"', end: '"' },
            { className: "variable", begin: "[%$][A-Za-z0-9][A-Za-z0-9_]*" },
            { className: "title", begin: "@[A-Za-z0-9][A-Za-z0-9_]*" },
            // Shapes such as f32x56x9x? are a type and numbers.
            { className: "type", begin: "\\b(@TYPES_BEFORE_SHAPES@)(?=x[0-9?])" },
            { className: "number", begin: "(\\b|(?<=x))-?(0x[0-9a-f.]+(p[-+]?[0-9]+)?|[0-9]+(\\.[0-9]*)?(e[-+]?[0-9]+)?)" },
        ],
    }));
    for (const block of document.querySelectorAll("code.language-tensor")) {
        // It was coloured before as text of no language.
        block.classList.remove("hljs");
        delete block.dataset.highlighted;
        (hljs.highlightElement ?? hljs.highlightBlock)(block);
    }
})();
