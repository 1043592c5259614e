//! Errors of compilers that beginners make most, which keur explains in words of its own.

use crate::messages::Message;

/// A common error in a source file, recognised in a compiler's message. Names and types are as the compiler writes
/// them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum CommonError {
    /// A semicolon is missing.
    NoSemicolon,
    /// A sign is missing, such as the one that closes a brace or a parenthesis.
    NoSign {
        /// The sign.
        sign: String,
    },
    /// A closing brace has no opening one.
    Unopened,
    /// A text or a character does not end.
    NoQuote {
        /// The sign that would end it.
        sign: String,
    },
    /// A text stands between the quotes of a character.
    SingleQuotes {
        /// The text.
        text: String,
    },
    /// An `else` has no `if`.
    NoIf,
    /// A program has no `main`.
    NoMain,
    /// A name is used that is not declared.
    NotDeclared {
        /// The name.
        name: String,
    },
    /// A name of the standard library is used without its namespace.
    NoNamespace {
        /// The name.
        name: String,
    },
    /// A name of another language is used.
    OtherName {
        /// The name.
        name: String,
        /// Its name in this language.
        meant: String,
    },
    /// A name of the standard library is used without its header.
    NotIncluded {
        /// The name.
        name: String,
        /// The header that declares it.
        header: String,
    },
    /// A header is included that is not there.
    NoHeader {
        /// The header.
        header: String,
    },
    /// A header is included that the system does not have.
    NoSystemHeader {
        /// The header.
        header: String,
    },
    /// A function is declared without the type of its result.
    NoReturnType {
        /// The function, if it is known.
        name: Option<String>,
    },
    /// A function is called with arguments that it does not take.
    Arguments {
        /// The function, if it is known.
        name: Option<String>,
    },
    /// A value has another type than its place needs.
    WrongType {
        /// The type of the value.
        from: String,
        /// The type that is needed.
        to: String,
    },
    /// An operator does not take these types.
    NoOperator {
        /// The type on its left.
        left: String,
        /// The type on its right.
        right: String,
    },
    /// A function or container of the standard library needs an operator that a type does not have.
    NeedsOperator {
        /// The type.
        class: String,
    },
    /// A value is written to a stream that has no form for its type.
    NotPrinted {
        /// The type.
        class: String,
    },
    /// A function is declared and used, but not defined.
    NotDefined {
        /// The function.
        name: String,
    },
    /// A virtual method is declared, but not defined.
    NoVirtualBody {
        /// The class.
        class: String,
    },
    /// A static variable of a class is declared and used, but not defined.
    NoStatic {
        /// The variable.
        name: String,
    },
    /// A name is defined twice.
    Redefined {
        /// The name.
        name: String,
    },
    /// A private member is used outside its class.
    Private {
        /// The member.
        name: String,
    },
    /// Something that is `const` is changed.
    Constant,
    /// A class does not have a member.
    NoMember {
        /// The class.
        class: String,
        /// The member.
        name: String,
    },
    /// A member is asked of what has none, such as a number or an array.
    NoMembers,
    /// A member of an object is asked of a pointer to the object.
    Pointer {
        /// The pointer, if it is known.
        name: Option<String>,
    },
    /// A member of a pointer is asked of an object.
    Arrow,
    /// A character stands outside texts and comments that no code has there.
    Character {
        /// The character.
        sign: String,
    },
    /// The brackets of an array stand after its type instead of its name.
    Brackets,
    /// A block follows no head of a function.
    NoHead,
    /// A function is defined within another.
    NestedFunction,
    /// The value of a function is used that returns none.
    VoidUsed,
    /// A function that returns nothing has a `return` with a value.
    VoidReturns,
    /// A function that returns a value has a `return` without one.
    ReturnsNothing,
    /// A jump to a `case` skips the declaration of a variable.
    CaseJump,
    /// Two `case` labels have the same value.
    SameCase,
    /// A value that must be a constant is none, such as that after a `case`.
    NotConstant,
    /// A `switch` has a value that is no integer.
    NoSwitch,
    /// An array or a struct is given more values than it holds.
    TooManyValues,
    /// A `break` or a `continue` stands outside a loop.
    NoLoop,
    /// An array is assigned as a whole.
    ArrayAssigned,
    /// A value is assigned to what cannot be changed, such as a sum.
    NotAssignable,
    /// An operator of pointers has another value.
    NotPointer {
        /// The type of the value.
        class: String,
    },
    /// An item is asked of what has none.
    NoItems,
    /// Something is called that is no function.
    NotFunction,
    /// A method is named, but not called.
    NotCalled,
    /// An object is made of an abstract class.
    Abstract {
        /// The class.
        class: String,
    },
    /// A name is declared with different types.
    Conflicting {
        /// The name.
        name: String,
    },
}

impl CommonError {
    /// The message to the student, as the end of a sentence about the code.
    pub fn message(&self) -> Message {
        let of = |id, name: &String| Message::new(id).with("name", name);
        match self {
            CommonError::NoSemicolon => Message::new("compile-no-semicolon"),
            // An operator or a comma may be missing as well: the compiler only says what could follow.
            CommonError::NoSign { sign } if sign == ")" => Message::new("compile-no-parenthesis"),
            CommonError::NoSign { sign } => Message::new("compile-no-sign").with("sign", sign),
            CommonError::Unopened => Message::new("compile-unopened"),
            CommonError::NoQuote { sign } => Message::new("compile-no-quote").with("sign", sign),
            CommonError::SingleQuotes { text } => Message::new("compile-single-quotes").with("text", text),
            CommonError::NoIf => Message::new("compile-no-if"),
            CommonError::NoMain => Message::new("compile-no-main"),
            CommonError::NotDeclared { name } => of("compile-not-declared", name),
            CommonError::NoNamespace { name } => {
                of("compile-other-name", name).with("meant", format!("std::{name}"))
            }
            CommonError::OtherName { name, meant } => of("compile-other-name", name).with("meant", meant),
            CommonError::NotIncluded { name, header } => {
                of("compile-not-included", name).with("header", header)
            }
            CommonError::NoHeader { header } => Message::new("compile-no-header").with("header", header),
            CommonError::NoSystemHeader { header } => {
                Message::new("compile-no-system-header").with("header", header)
            }
            CommonError::NoReturnType { name: Some(name) } => of("compile-no-return-type", name),
            CommonError::NoReturnType { name: None } => Message::new("compile-no-type"),
            CommonError::Arguments { name: Some(name) } => of("compile-arguments", name),
            CommonError::Arguments { name: None } => Message::new("compile-arguments-here"),
            CommonError::WrongType { from, to } => {
                Message::new("compile-wrong-type").with("from", from).with("to", to)
            }
            CommonError::NoOperator { left, right } => {
                Message::new("compile-no-operator").with("left", left).with("right", right)
            }
            CommonError::NeedsOperator { class } => {
                Message::new("compile-needs-operator").with("class", class)
            }
            CommonError::NotPrinted { class } => Message::new("compile-not-printed").with("class", class),
            CommonError::NoVirtualBody { class } => {
                Message::new("compile-no-virtual-body").with("class", class)
            }
            CommonError::NoStatic { name } => of("compile-no-static", name),
            CommonError::NotDefined { name } => of("compile-not-defined", name),
            CommonError::Redefined { name } => of("compile-redefined", name),
            CommonError::Private { name } => of("compile-private", name),
            CommonError::Constant => Message::new("compile-constant"),
            CommonError::NoMember { class, name } => of("compile-no-member", name).with("class", class),
            CommonError::NoMembers => Message::new("compile-no-members"),
            CommonError::Pointer { name: Some(name) } => of("compile-pointer", name),
            CommonError::Pointer { name: None } => Message::new("compile-arrow"),
            CommonError::Arrow => Message::new("compile-dot"),
            CommonError::Character { sign } => Message::new("compile-character").with("sign", sign),
            CommonError::Brackets => Message::new("compile-brackets"),
            CommonError::NoHead => Message::new("compile-no-head"),
            CommonError::NestedFunction => Message::new("compile-nested-function"),
            CommonError::VoidUsed => Message::new("compile-void-used"),
            CommonError::VoidReturns => Message::new("compile-void-returns"),
            CommonError::ReturnsNothing => Message::new("compile-returns-nothing"),
            CommonError::CaseJump => Message::new("compile-case-jump"),
            CommonError::SameCase => Message::new("compile-same-case"),
            CommonError::NotConstant => Message::new("compile-not-constant"),
            CommonError::NoSwitch => Message::new("compile-no-switch"),
            CommonError::TooManyValues => Message::new("compile-too-many-values"),
            CommonError::NoLoop => Message::new("compile-no-loop"),
            CommonError::ArrayAssigned => Message::new("compile-array-assigned"),
            CommonError::NotAssignable => Message::new("compile-not-assignable"),
            CommonError::NotPointer { class } => Message::new("compile-not-pointer").with("class", class),
            CommonError::NoItems => Message::new("compile-no-items"),
            CommonError::NotFunction => Message::new("compile-not-function"),
            CommonError::NotCalled => Message::new("compile-not-called"),
            CommonError::Abstract { class } => Message::new("compile-abstract").with("class", class),
            CommonError::Conflicting { name } => of("compile-conflicting", name),
        }
    }
}
