//! YAML as a tree of nodes with their places.
//!
//! Plain scalars mean what they mean in YAML 1.1, which TESTed reads: `yes` is true and `1e5` is a text. In a
//! suite in JSON they mean what they mean there. Aliases are expanded, and the sum of all nodes is limited.

use keur_core::case::Diagnostic;
use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};
use std::collections::HashMap;
use std::ops::Range;

/// The most nodes of a suite, with those that aliases repeat.
const MOST_NODES: usize = 200_000;

/// The deepest nesting.
const DEEPEST: usize = 64;

/// The largest file, in bytes.
const LARGEST: usize = 8 << 20;

/// A node with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct YamlNode {
    pub(super) kind: YamlKind,
    /// The tag, such as `!expression`; `!!set` for one of YAML's own.
    pub(super) tag: Option<String>,
    /// The bytes in the file.
    pub(super) span: Range<usize>,
}

/// The kinds of node.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum YamlKind {
    Null,
    Bool(bool),
    /// The digits in base ten, with a sign if negative.
    Int(String),
    Float(f64),
    Text(String),
    List(Vec<YamlNode>),
    Map(Vec<(YamlNode, YamlNode)>),
}

impl YamlNode {
    /// Puts the text in one natural language, or else the first, in the place of those in several.
    pub(super) fn choose_language(&mut self, lang: &str) {
        if self.tag.as_deref() == Some("!natural_language")
            && let YamlKind::Map(texts) = &mut self.kind
            && !texts.is_empty()
        {
            let index = texts.iter().position(|(name, _)| name.as_text() == Some(lang)).unwrap_or(0);
            *self = texts.swap_remove(index).1;
        }
        match &mut self.kind {
            YamlKind::List(items) => items.iter_mut().for_each(|item| item.choose_language(lang)),
            YamlKind::Map(pairs) => pairs.iter_mut().for_each(|(_, item)| item.choose_language(lang)),
            _ => {}
        }
    }

    /// The text of a text.
    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.kind {
            YamlKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A scalar as Python's `str` writes it.
    pub(super) fn scalar_text(&self) -> Option<String> {
        match &self.kind {
            YamlKind::Text(text) => Some(text.clone()),
            YamlKind::Int(digits) => Some(digits.clone()),
            YamlKind::Float(float) => Some(super::python::float_text(*float)),
            YamlKind::Bool(true) => Some("True".to_owned()),
            YamlKind::Bool(false) => Some("False".to_owned()),
            YamlKind::Null | YamlKind::List(_) | YamlKind::Map(_) => None,
        }
    }

    /// The items of a list.
    pub(super) fn as_list(&self) -> Option<&[YamlNode]> {
        match &self.kind {
            YamlKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The pairs of a map.
    pub(super) fn as_map(&self) -> Option<&[(YamlNode, YamlNode)]> {
        match &self.kind {
            YamlKind::Map(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// Whether it is null.
    pub(super) fn is_null(&self) -> bool {
        self.kind == YamlKind::Null
    }

    /// The value of a key, unless it is null. The last one counts, as in TESTed.
    pub(super) fn get(&self, key: &str) -> Option<&YamlNode> {
        let pairs = self.as_map()?;
        let found = pairs.iter().rev().find(|(name, _)| name.as_text() == Some(key));
        found.map(|(_, value)| value).filter(|value| !value.is_null())
    }
}

/// Reads the only document of `source`.
///
/// # Errors
/// The first error, with its place.
pub(super) fn read(source: &str, json: bool) -> Result<YamlNode, Diagnostic> {
    if source.len() > LARGEST {
        return Err(Diagnostic::new(format!("a suite may have at most {} MB", LARGEST >> 20), 0..0));
    }
    // The parser counts characters.
    let mut starts: Vec<usize> = source.char_indices().map(|(at, _)| at).collect();
    starts.push(source.len());
    let mut builder =
        NodeBuilder { starts, json, open: Vec::new(), anchors: HashMap::new(), nodes: 0, root: None };
    let mut parser = Parser::new_from_str(source);
    while let Some(event) = parser.next_event() {
        match event {
            Ok((event, span)) => builder.event(event, span)?,
            Err(error) => {
                let at = builder.byte(error.marker().index());
                return Err(Diagnostic::new(format!("not YAML: {}", error.info()), at..at));
            }
        }
    }
    builder.root.map(|(node, _)| node).ok_or_else(|| Diagnostic::new("the suite is empty", 0..0))
}

/// The size of a tree.
#[derive(Clone, Copy, Default)]
struct NodeExtent {
    nodes: usize,
    depth: usize,
}

/// A list or map whose end has not come yet.
struct Open {
    anchor: usize,
    tag: Option<String>,
    start: usize,
    items: Vec<YamlNode>,
    is_map: bool,
    extent: NodeExtent,
}

struct NodeBuilder {
    /// The byte at which each character starts, and the end.
    starts: Vec<usize>,
    json: bool,
    open: Vec<Open>,
    anchors: HashMap<usize, (YamlNode, NodeExtent)>,
    /// The nodes so far.
    nodes: usize,
    root: Option<(YamlNode, NodeExtent)>,
}

impl NodeBuilder {
    fn byte(&self, character: usize) -> usize {
        self.starts.get(character).or(self.starts.last()).copied().unwrap_or_default()
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Diagnostic> {
        let place = self.byte(span.start.index())..self.byte(span.end.index());
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_) if self.root.is_some() => {
                Err(Diagnostic::new("a suite is one YAML document; this is a second one", place))
            }
            Event::DocumentStart(_) => Ok(()),
            Event::Alias(anchor) => {
                let inside = || Diagnostic::new("an alias inside the node that it repeats", place.clone());
                let extent = self.anchors.get(&anchor).map(|(_, extent)| *extent).ok_or_else(inside)?;
                // Checked before the copy is made.
                self.grow(extent, &place)?;
                if let Some((node, _)) = self.anchors.get(&anchor) {
                    let node = node.clone();
                    self.add(node, extent, 0);
                }
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                let extent = NodeExtent { nodes: 1, depth: 1 };
                self.grow(extent, &place)?;
                let tag = tag.as_deref().map(tag_text);
                let kind = self.scalar(&text, style, tag.as_deref());
                self.add(YamlNode { kind, tag, span: place }, extent, anchor);
                Ok(())
            }
            Event::SequenceStart(anchor, tag) => self.start(anchor, tag.as_deref(), &place, false),
            Event::MappingStart(anchor, tag) => self.start(anchor, tag.as_deref(), &place, true),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else { return Ok(()) };
                // The end of a list in blocks has no characters; it is noticed at what follows.
                let last = open.items.last().map(|last| last.span.end).filter(|_| place.is_empty());
                let span = open.start..last.unwrap_or(place.end).max(open.start);
                let kind =
                    if open.is_map { YamlKind::Map(pairs(open.items)) } else { YamlKind::List(open.items) };
                let extent = NodeExtent { nodes: open.extent.nodes + 1, depth: open.extent.depth + 1 };
                self.add(YamlNode { kind, tag: open.tag, span }, extent, open.anchor);
                Ok(())
            }
        }
    }

    fn start(
        &mut self,
        anchor: usize,
        tag: Option<&Tag>,
        place: &Range<usize>,
        is_map: bool,
    ) -> Result<(), Diagnostic> {
        self.grow(NodeExtent { nodes: 1, depth: 1 }, place)?;
        let tag = tag.map(tag_text);
        let extent = NodeExtent::default();
        self.open.push(Open { anchor, tag, start: place.start, items: Vec::new(), is_map, extent });
        Ok(())
    }

    /// Counts nodes that are about to be added.
    fn grow(&mut self, extent: NodeExtent, place: &Range<usize>) -> Result<(), Diagnostic> {
        self.nodes += extent.nodes;
        if self.nodes > MOST_NODES {
            let message = format!("the suite has more than {MOST_NODES} values");
            return Err(
                Diagnostic::new(message, place.clone()).help("what an alias repeats counts each time")
            );
        }
        if self.open.len() + extent.depth > DEEPEST {
            return Err(Diagnostic::new(format!("nested deeper than {DEEPEST} levels"), place.clone()));
        }
        Ok(())
    }

    fn add(&mut self, node: YamlNode, extent: NodeExtent, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), extent));
        }
        match self.open.last_mut() {
            Some(open) => {
                open.extent.nodes += extent.nodes;
                open.extent.depth = open.extent.depth.max(extent.depth);
                open.items.push(node);
            }
            None => self.root = Some((node, extent)),
        }
    }

    fn scalar(&self, text: &str, style: ScalarStyle, tag: Option<&str>) -> YamlKind {
        let plain = style == ScalarStyle::Plain;
        match tag {
            Some("!!str" | "!") => YamlKind::Text(text.to_owned()),
            None | Some("!!int" | "!!float" | "!!bool" | "!!null") if plain || tag.is_some() => {
                resolve(text, self.json)
            }
            // The value of a tag of TESTed is what it would be without one.
            Some(tag) if plain && !tag.starts_with("!!") && tag != "!expression" => resolve(text, self.json),
            Some(_) | None => YamlKind::Text(text.to_owned()),
        }
    }
}

fn tag_text(tag: &Tag) -> String {
    if tag.is_yaml_core_schema() {
        format!("!!{}", tag.suffix)
    } else {
        format!("{}{}", tag.handle, tag.suffix)
    }
}

/// Pairs of keys and values; what `<<` merges comes first, so that the map's own keys win.
fn pairs(items: Vec<YamlNode>) -> Vec<(YamlNode, YamlNode)> {
    let (mut merged, mut own) = (Vec::new(), Vec::new());
    let mut items = items.into_iter();
    while let (Some(key), Some(value)) = (items.next(), items.next()) {
        if key.as_text() != Some("<<") || key.tag.is_some() {
            own.push((key, value));
            continue;
        }
        match value.kind {
            YamlKind::Map(pairs) => merged.extend(pairs),
            // The earlier of several maps wins.
            YamlKind::List(maps) => {
                for map in maps.into_iter().rev() {
                    if let YamlKind::Map(pairs) = map.kind {
                        merged.extend(pairs);
                    }
                }
            }
            _ => {}
        }
    }
    merged.extend(own);
    merged
}

/// The meaning of a plain scalar.
fn resolve(text: &str, json: bool) -> YamlKind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return YamlKind::Null,
        "true" | "True" | "TRUE" => return YamlKind::Bool(true),
        "false" | "False" | "FALSE" => return YamlKind::Bool(false),
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" if !json => return YamlKind::Bool(true),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" if !json => return YamlKind::Bool(false),
        _ => {}
    }
    number(text, json).unwrap_or_else(|| YamlKind::Text(text.to_owned()))
}

fn number(text: &str, json: bool) -> Option<YamlKind> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let signed =
        |digits: &str| YamlKind::Int(if negative { format!("-{digits}") } else { digits.to_owned() });
    let sign = if negative { -1.0 } else { 1.0 };
    match digits {
        ".inf" | ".Inf" | ".INF" => return Some(YamlKind::Float(sign * f64::INFINITY)),
        ".nan" | ".NaN" | ".NAN" if digits.len() == text.len() => return Some(YamlKind::Float(f64::NAN)),
        _ => {}
    }
    if !digits.starts_with(|ch: char| ch.is_ascii_digit() || ch == '.') {
        return None;
    }
    let plain = digits.replace('_', "");
    if plain.is_empty() {
        return None;
    }
    if plain.bytes().all(|byte| byte.is_ascii_digit()) {
        if plain.len() > 1 && plain.starts_with('0') {
            // An octal number, as long as it is one.
            return i128::from_str_radix(&plain, 8).ok().map(|number| signed(&number.to_string()));
        }
        return Some(signed(&plain));
    }
    for (prefix, radix) in [("0x", 16), ("0b", 2)] {
        if let Some(rest) = plain.strip_prefix(prefix) {
            return i128::from_str_radix(rest, radix).ok().map(|number| signed(&number.to_string()));
        }
    }
    let (mantissa, exponent) = match plain.find(['e', 'E']) {
        Some(at) => (&plain[..at], Some(&plain[at + 1..])),
        None => (plain.as_str(), None),
    };
    let is_mantissa = mantissa.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && mantissa.matches('.').count() <= 1
        && mantissa.bytes().any(|byte| byte.is_ascii_digit());
    let is_exponent = exponent.is_none_or(|exponent| {
        let unsigned = exponent.strip_prefix(['+', '-']);
        // YAML 1.1 has no number with an exponent without a point or a sign.
        (json || (unsigned.is_some() && mantissa.contains('.')))
            && unsigned.unwrap_or(exponent).bytes().all(|byte| byte.is_ascii_digit())
            && !unsigned.unwrap_or(exponent).is_empty()
    });
    if !is_mantissa || !is_exponent {
        return None;
    }
    plain.parse::<f64>().ok().map(|float| YamlKind::Float(sign * float))
}

#[cfg(test)]
mod tests {
    use super::{YamlKind, read};

    #[track_caller]
    fn check(yaml: &str, expected: YamlKind) {
        assert_eq!(read(yaml, false).unwrap().kind, expected, "{yaml}");
    }

    #[track_caller]
    fn check_error(yaml: &str, message: &str) {
        let error = read(yaml, false).unwrap_err();
        assert!(error.message.contains(message), "{}", error.message);
    }

    #[test]
    fn plain_scalars_mean_what_they_mean_in_yaml_1_1() {
        let int = |digits: &str| YamlKind::Int(digits.to_owned());
        let text = |text: &str| YamlKind::Text(text.to_owned());
        for (yaml, expected) in [
            ("yes", YamlKind::Bool(true)),
            ("off", YamlKind::Bool(false)),
            ("~", YamlKind::Null),
            ("12", int("12")),
            ("-1_000", int("-1000")),
            ("010", int("8")),
            ("0x1F", int("31")),
            ("1.5", YamlKind::Float(1.5)),
            ("-.5e+1", YamlKind::Float(-5.0)),
            ("1e5", text("1e5")),
            ("1.5e3", text("1.5e3")),
            ("-.inf", YamlKind::Float(f64::NEG_INFINITY)),
            ("1.2.3", text("1.2.3")),
            ("'12'", text("12")),
            ("!!str 12", text("12")),
            ("!char 5", int("5")),
            ("!expression 5", text("5")),
        ] {
            check(yaml, expected);
        }
        assert_eq!(read("[1e5]", true).unwrap().as_list().unwrap()[0].kind, YamlKind::Float(1e5));
        check("\"é\\n\"", text("é\n"));
    }

    #[test]
    fn aliases_and_merged_maps_are_expanded() {
        let yaml = "a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3\nc: *a\n";
        let node = read(yaml, false).unwrap();
        let int = |digits: &str| YamlKind::Int(digits.to_owned());
        assert_eq!(node.get("b").unwrap().get("x").unwrap().kind, int("1"));
        assert_eq!(node.get("b").unwrap().get("y").unwrap().kind, int("3"));
        assert_eq!(node.get("c").unwrap().get("y").unwrap().kind, int("2"));
    }

    #[test]
    fn places_are_bytes_of_the_file() {
        let yaml = "é: ü\nkey: [a, bcd]\n";
        let node = read(yaml, false).unwrap();
        let item = &node.get("key").unwrap().as_list().unwrap()[1];
        assert_eq!(&yaml[item.span.clone()], "bcd");
    }

    #[test]
    fn bombs_and_deep_nesting_are_errors() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            bomb.push_str(&format!("a{level}: &a{level} [{}]\n", before.trim_end_matches(", ")));
        }
        check_error(&bomb, "more than 200000 values");
        check_error(&"[".repeat(100), "nested deeper");
        check_error(&"- ".repeat(10_000), "nested deeper");
        check_error(&"[".repeat(100_000), "not YAML: recursion limit");
        check_error("a: &a [*a]", "an alias inside");
        check_error("a: *b", "not YAML");
        check_error("a: [", "not YAML");
        check_error("a\n---\nb\n", "second");
        check_error("", "empty");
    }
}
