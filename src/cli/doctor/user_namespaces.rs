//! The settings of the kernel that forbid user namespaces, and the commands that change them.

use std::fs;

/// Settings with the value that forbids, and one that allows. The first is Debian's, the second Ubuntu's.
const SETTINGS: &[(&str, &str, &str)] = &[
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
    ("user.max_user_namespaces", "0", "15000"),
];

/// The commands for the settings of this machine that forbid user namespaces.
pub(super) fn commands() -> Vec<String> {
    commands_for(&|setting| fs::read_to_string(format!("/proc/sys/{}", setting.replace('.', "/"))).ok())
}

fn commands_for(value: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let forbids = |(setting, forbidding, _): &&(&str, &str, &str)| {
        value(setting).is_some_and(|value| value.trim() == *forbidding)
    };
    let command = |(setting, _, allowing): &(&str, &str, &str)| format!("sudo sysctl {setting}={allowing}");
    SETTINGS.iter().filter(forbids).map(command).collect()
}

#[cfg(test)]
mod tests {
    use super::commands_for;

    #[test]
    fn only_a_setting_that_forbids_them_is_changed() {
        let ubuntu = |setting: &str| match setting {
            "kernel.unprivileged_userns_clone" => Some("1\n".to_owned()),
            "kernel.apparmor_restrict_unprivileged_userns" => Some("1\n".to_owned()),
            _ => None,
        };
        assert_eq!(commands_for(&ubuntu), ["sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"]);
        assert!(commands_for(&|_| None).is_empty());
    }
}
