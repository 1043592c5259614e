//! keur, as a crate sees it that is graded: the traits for submissions, values, and the serving side of the protocol. It has no
//! reference, no case and nothing that grades.
//!
//! This is the root of another build (`library`), of the same files: each `mod` is the file of that name in keur.

#![allow(dead_code, unexpected_cfgs, unreachable_pub, unused_imports, reason = "keur itself uses what is left over here")]

pub mod submit;
pub mod value;

mod exercises {
    mod list;
    pub(crate) mod submit;

    pub(crate) use list::for_each_exercise;

    macro_rules! traits {
        ($($name:ident: $trait:ident,)+) => {$(
            pub(crate) mod $name {
                pub(crate) mod submit;
            }
        )+};
    }
    for_each_exercise!(traits);
}

mod case {
    mod node;
    mod plan;

    pub use node::{Arg, Builtin, Items, NativeCode, Node, Operator};
    pub use plan::{
        Bind, InputFile, Instead, Line, Match, Opponent, Plan, PlanStep, ProgramRun, View, ViewPart, Want,
    };
}

mod languages {
    pub(crate) mod python {
        mod notation;

        pub use notation::Python;
    }

    pub(crate) mod rust {
        pub(crate) mod names;
    }
}

mod adapter {
    mod live;
    mod operate;
    mod sequence;
    mod serving;
    mod session;
    mod transcript;

    pub use serving::serve;

    mod wire {
        mod frame;
        mod value;

        pub use frame::{HEADER, VERSION, frame, header};
        pub use value::{decode, encode};
    }
}

mod sandbox {
    #[cfg(unix)]
    mod unix {
        mod inherited;

        pub use inherited::inherited_socket;
    }
    #[cfg(unix)]
    pub use unix::inherited_socket;

    /// Nothing is stopped here.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Stop {}

    /// No folder is read here.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FolderEntry {}
}
