//! A link to an address that a page may lack.

use maud::{Markup, Render, html};

/// A link if there is an address, else only its content.
pub(super) fn linked(address: Option<&str>, inside: impl Render) -> Markup {
    html! {
        @if let Some(address) = address { a href=(address) { (inside) } } @else { (inside) }
    }
}
