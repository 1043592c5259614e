//! Structs in C, as an exercise declares them.

use super::types::{Base, Declared, Type, is_name};

/// The most fields with which a case can make a struct: keur's driver lists calls up to so many arguments.
const MOST_FIELDS: usize = 8;

/// A struct, which is a class of the exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Structure {
    /// The class.
    pub(super) class: String,
    /// The name after `struct`.
    tag: Option<String>,
    /// The name of its type.
    name: Option<String>,
    /// Its fields; `None` if only submissions know them.
    pub(super) fields: Option<Vec<Field>>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) of: Type,
    /// The number of its items, if it is an array.
    pub(super) items: Option<usize>,
}

/// A struct whose fields are not read yet.
pub(crate) struct Unread<'t> {
    structure: Structure,
    fields: Option<&'t str>,
}

impl Structure {
    /// Whether this is a name of its type.
    pub(super) fn is_called(&self, text: &str) -> bool {
        self.name.as_deref() == Some(text)
            || self.tag.as_deref().is_some_and(|tag| text.strip_prefix("struct ") == Some(tag))
    }

    /// A name of its type.
    pub(super) fn in_c(&self) -> String {
        match (&self.tag, &self.name) {
            (_, Some(name)) => name.clone(),
            (Some(tag), None) => format!("struct {tag}"),
            (None, None) => self.class.clone(),
        }
    }

    /// Its type in C++.
    pub(super) fn in_cpp(&self) -> String {
        format!("struct {}", self.class)
    }

    /// Whether a case can make one.
    pub(super) fn is_made(&self) -> bool {
        self.fields.as_ref().is_some_and(|fields| fields.len() <= MOST_FIELDS)
    }
}

impl<'t> Unread<'t> {
    /// Reads the names in a declaration such as `struct point { int x; int y; }`, `typedef struct { int x; } Point` or
    /// `struct list`.
    ///
    /// # Errors
    /// It is none.
    pub(crate) fn parse(class: &str, text: &'t str) -> Result<Unread<'t>, String> {
        let form =
            || "write it as `struct point { int x; int y; }` or `typedef struct { int x; } Point`".to_owned();
        let text = text.trim().trim_end_matches(';').trim_end();
        let (is_typedef, text) = text.strip_prefix("typedef ").map_or((false, text), |text| (true, text));
        let (head, fields, after) = match text.split_once('{') {
            Some((head, rest)) => {
                let (fields, after) = rest.split_once('}').ok_or_else(form)?;
                (head, Some(fields), after.trim())
            }
            None if is_typedef => {
                let at = text.rfind(char::is_whitespace).ok_or_else(form)?;
                let (head, name) = text.split_at(at);
                (head, None, name.trim())
            }
            None => (text, None, ""),
        };
        let tag = head.trim().strip_prefix("struct").ok_or_else(form)?;
        let tag = Some(tag.trim()).filter(|tag| !tag.is_empty());
        let name = Some(after).filter(|name| !name.is_empty());
        let names: Vec<&str> = tag.into_iter().chain(name).collect();
        if !is_name(class) {
            return Err(format!("`{class}` is no name in C"));
        }
        if is_typedef != name.is_some() || names.is_empty() || !names.iter().all(|name| is_name(name)) {
            return Err(form());
        }
        let (tag, name) = (tag.map(str::to_owned), name.map(str::to_owned));
        Ok(Unread { structure: Structure { class: class.to_owned(), tag, name, fields: None }, fields })
    }

    /// The struct without its fields.
    pub(crate) fn head(&self) -> Structure {
        self.structure.clone()
    }

    /// Reads the fields, whose types may be of these structs. The class has a constructor with so many parameters.
    ///
    /// # Errors
    /// A field has a type that keur does not know, or the class is not made of these fields.
    pub(crate) fn read(self, structs: &[Structure], parameters: usize) -> Result<Structure, String> {
        let Unread { mut structure, fields } = self;
        let Some(fields) = fields else {
            if parameters > 0 {
                return Err("`new` makes the struct of its fields, and it has none here".to_owned());
            }
            return Ok(structure);
        };
        let fields = fields.split(';').map(str::trim).filter(|field| !field.is_empty());
        let fields: Vec<Field> =
            fields.map(|field| Field::parse(field, structs)).collect::<Result<_, String>>()?;
        if fields.is_empty() {
            return Err(
                "the struct has no fields; leave the braces out if only submissions know them".to_owned()
            );
        }
        if ![0, fields.len()].contains(&parameters) {
            return Err(format!("the struct has {} fields, and `new` has {parameters}", fields.len()));
        }
        if parameters > MOST_FIELDS {
            return Err(format!("keur makes a struct of at most {MOST_FIELDS} fields; leave out `new`"));
        }
        structure.fields = Some(fields);
        Ok(structure)
    }
}

impl Field {
    fn parse(text: &str, structs: &[Structure]) -> Result<Field, String> {
        if text.contains(',') {
            return Err(format!("write each field for itself, unlike `{text}`"));
        }
        let Declared { of, name, items } =
            Declared::parse(text).ok_or_else(|| format!("`{text}` is no field; write it as `int x;`"))?;
        let of = Type::parse(of, structs)?;
        let items = match items.map(str::parse) {
            None => None,
            Some(Ok(0) | Err(_)) => return Err(format!("the length of `{name}` is not a number")),
            Some(Ok(items)) => Some(items),
        };
        let is_known = match items {
            None => match (&of.base, of.depth()) {
                (Base::Void, _) => false,
                (Base::Char | Base::Struct, depth) => depth <= 1,
                (Base::Bool | Base::Number, depth) => depth == 0,
            },
            Some(_) => of.depth() == 0 && [Base::Bool, Base::Number, Base::Char].contains(&of.base),
        };
        if !is_known {
            return Err(format!("keur does not know how to read the field `{name}`"));
        }
        Ok(Field { name: name.to_owned(), of, items })
    }

    /// Its declaration.
    /// The field as C declares it.
    pub(super) fn in_c(&self) -> String {
        let items = self.items.map(|items| format!("[{items}]")).unwrap_or_default();
        format!("{} {}{items}", self.of.in_c(), self.name)
    }
}
