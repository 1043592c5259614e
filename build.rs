//! Rebuilds the library when a built-in case is added, changed or removed: the cases are embedded in it.

fn main() {
    println!("cargo::rerun-if-changed=cases");
}
