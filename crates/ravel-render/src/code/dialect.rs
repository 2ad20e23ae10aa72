//! What the quick lexer knows of each language.

/// The marks and words of one language.
#[derive(Debug)]
pub(super) struct Dialect {
    /// File extensions and fence names, in lower case.
    pub(super) names: &'static [&'static str],
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// What opens and closes strings; long ones first.
    pub(super) quotes: &'static [&'static str],
    /// Space-separated, in lower case for languages without case.
    keywords: &'static str,
    /// A single quote holds one character, so a lone one opens nothing.
    pub(super) is_quote_a_char: bool,
    /// Strings may go on over lines whatever their quote.
    pub(super) strings_go_on: bool,
    /// Lines have keys before `:` or `=`.
    pub(super) has_keys: bool,
    pub(super) words_have_dashes: bool,
}

impl Dialect {
    /// Returns the dialect of a fence name or file extension.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        let lower = name.to_ascii_lowercase();
        DIALECTS
            .iter()
            .find(|dialect| dialect.names.contains(&lower.as_str()))
    }

    pub(super) fn is_keyword(&self, word: &str) -> bool {
        let is_cased = !self.names.contains(&"sql");
        self.keywords
            .split(' ')
            .any(|keyword| keyword == word || (!is_cased && keyword.eq_ignore_ascii_case(word)))
    }
}

const C_LIKE: Dialect = Dialect {
    names: &[],
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &["\"", "'"],
    keywords: "",
    is_quote_a_char: false,
    strings_go_on: false,
    has_keys: false,
    words_have_dashes: false,
};

const HASHED: Dialect = Dialect {
    line_comments: &["#"],
    block_comment: None,
    ..C_LIKE
};

static DIALECTS: [Dialect; 14] = [
    Dialect {
        names: &["rust", "rs"],
        keywords: "as async await break const continue crate dyn else enum extern fn for if impl \
                   in let loop match mod move mut pub ref return self Self static struct super \
                   trait type union unsafe use where while yield",
        is_quote_a_char: true,
        strings_go_on: true,
        ..C_LIKE
    },
    Dialect {
        names: &[
            "js",
            "javascript",
            "jsx",
            "mjs",
            "cjs",
            "ts",
            "typescript",
            "tsx",
            "mts",
            "cts",
        ],
        quotes: &["\"", "'", "`"],
        keywords: "abstract as async await break case catch class const continue declare default \
                   delete do else enum export extends finally for from function get if implements \
                   import in instanceof interface keyof let new of private protected public \
                   readonly return satisfies set static super switch this throw try type typeof \
                   undefined var void while yield",
        ..C_LIKE
    },
    Dialect {
        names: &["python", "py", "python3", "pyi"],
        quotes: &["\"\"\"", "'''", "\"", "'"],
        keywords: "and as assert async await break class continue def del elif else except finally \
                   for from global if import in is lambda match nonlocal not or pass raise return \
                   self try while with yield",
        ..HASHED
    },
    Dialect {
        names: &["go", "golang"],
        quotes: &["\"", "'", "`"],
        keywords: "break case chan const continue default defer else fallthrough for func go goto \
                   if import interface map package range return select struct switch type var",
        ..C_LIKE
    },
    Dialect {
        names: &["c", "h", "cpp", "c++", "cc", "cxx", "hpp", "hh", "m", "mm"],
        keywords: "auto bool break case catch char class const constexpr continue default delete do \
                   double else enum explicit extern final float for friend goto if inline int long \
                   mutable namespace new noexcept nullptr operator override private protected \
                   public return short signed sizeof static struct switch template this throw try \
                   typedef typename union unsigned using virtual void volatile while",
        ..C_LIKE
    },
    Dialect {
        names: &[
            "java", "kt", "kotlin", "cs", "csharp", "swift", "scala", "dart", "php", "groovy",
        ],
        quotes: &["\"\"\"", "\"", "'"],
        keywords: "abstract as async await break case catch class const continue data def default do \
                   echo else enum extends final finally for foreach fun func function guard if impl \
                   implements import in init instanceof int interface internal is let namespace new \
                   object open override package private protected protocol public readonly return \
                   sealed static string struct super switch this throw throws trait try typealias \
                   use using val var void when where while yield",
        ..C_LIKE
    },
    Dialect {
        names: &["sh", "bash", "zsh", "shell", "console", "fish", "env"],
        keywords: "case cd do done echo elif else esac exit export fi for function if in local read \
                   return set shift source then trap unset until while",
        strings_go_on: true,
        words_have_dashes: true,
        ..HASHED
    },
    Dialect {
        names: &["ruby", "rb", "elixir", "ex", "exs", "perl", "pl", "r"],
        keywords: "alias and begin break case class def defmodule defp do else elsif end ensure false \
                   fn for function if import in module my next not or raise require rescue return \
                   self sub super then unless until use when while yield",
        ..HASHED
    },
    Dialect {
        names: &["json", "jsonl", "ndjson", "json5", "jsonc", "ipynb"],
        quotes: &["\""],
        has_keys: true,
        ..C_LIKE
    },
    Dialect {
        names: &[
            "yaml",
            "yml",
            "toml",
            "ini",
            "cfg",
            "conf",
            "properties",
            "lock",
        ],
        has_keys: true,
        words_have_dashes: true,
        ..HASHED
    },
    Dialect {
        names: &["css", "scss", "less"],
        keywords: "important and not",
        has_keys: true,
        words_have_dashes: true,
        ..C_LIKE
    },
    Dialect {
        names: &["sql", "psql", "sqlite"],
        line_comments: &["--"],
        keywords: "all alter and as asc begin between by case commit constraint create default delete \
                   desc distinct drop else end exists foreign from full group having if in index \
                   inner insert into is join key left like limit not null offset on or order outer \
                   primary references right select set table then transaction union unique update \
                   using values view when where with",
        strings_go_on: true,
        ..C_LIKE
    },
    Dialect {
        names: &["html", "htm", "xml", "svg", "vue", "svelte"],
        line_comments: &[],
        block_comment: Some(("<!--", "-->")),
        quotes: &["\""],
        words_have_dashes: true,
        ..C_LIKE
    },
    Dialect {
        names: &["lua", "hs", "haskell", "elm"],
        line_comments: &["--"],
        block_comment: None,
        quotes: &["\""],
        keywords: "and case class data do else elseif end for function if import in instance let \
                   local module newtype not of or repeat return then type until where while",
        ..C_LIKE
    },
];
