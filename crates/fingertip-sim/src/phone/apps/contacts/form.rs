//! The form of a new contact, and what makes it valid.

use super::Field;
use crate::phone::storage::Contact;
use crate::phone::toolkit::editor::Editor;

/// What a number can be for.
pub(super) const KINDS: [&str; 4] = ["Mobile", "Home", "Work", "Other"];

/// The fewest digits of a phone number.
const PHONE_DIGITS: usize = 3;
/// The fewest characters of a password, where one is given.
const PASSWORD_LENGTH: usize = 6;

/// What has been filled in.
pub(super) struct Form {
    pub(super) first_name: Editor,
    pub(super) last_name: Editor,
    pub(super) phone: Editor,
    pub(super) email: Editor,
    pub(super) password: Editor,
    pub(super) kind: &'static str,
    pub(super) favourite: bool,
    pub(super) sync: bool,
}

impl Form {
    pub(super) fn new() -> Self {
        Self {
            first_name: Editor::default(),
            last_name: Editor::default(),
            phone: Editor::default(),
            email: Editor::default(),
            password: Editor::secret(),
            kind: KINDS[0],
            favourite: false,
            sync: true,
        }
    }

    pub(super) fn editor(&mut self, field: Field) -> &mut Editor {
        match field {
            Field::FirstName => &mut self.first_name,
            Field::LastName => &mut self.last_name,
            Field::Phone => &mut self.phone,
            Field::Email => &mut self.email,
            Field::Password => &mut self.password,
        }
    }

    /// The contact, or the first thing that is wrong, in words for the user.
    pub(super) fn check(&self) -> Result<Contact, String> {
        let first = self.first_name.text().trim();
        if first.is_empty() {
            return Err("Please enter a first name.".into());
        }
        let phone = self.phone.text().trim();
        let digits = phone.chars().filter(char::is_ascii_digit).count();
        if digits < PHONE_DIGITS || !phone.chars().all(|c| c.is_ascii_digit() || "+-() /".contains(c)) {
            return Err("Please enter a valid phone number.".into());
        }
        let email = self.email.text().trim();
        if !email.is_empty() && !is_address(email) {
            return Err("Please enter a valid e-mail address.".into());
        }
        let password = self.password.text().chars().count();
        if (1..PASSWORD_LENGTH).contains(&password) {
            return Err(format!("The password needs at least {PASSWORD_LENGTH} characters."));
        }
        Ok(Contact {
            name: format!("{first} {}", self.last_name.text().trim()).trim().to_owned(),
            phone: phone.to_owned(),
            email: email.to_owned(),
            kind: self.kind,
            favourite: self.favourite,
        })
    }
}

fn is_address(email: &str) -> bool {
    let Some((name, domain)) = email.split_once('@') else { return false };
    let parts: Vec<&str> = domain.split('.').collect();
    !name.is_empty()
        && parts.len() > 1
        && parts.iter().all(|part| !part.is_empty())
        && !email.contains(char::is_whitespace)
        && !domain.contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(first: &str, phone: &str, email: &str, password: &str) -> Result<Contact, String> {
        let mut form = Form::new();
        form.first_name.set_text(first);
        form.phone.set_text(phone);
        form.email.set_text(email);
        form.password.set_text(password);
        form.check()
    }

    #[test]
    fn the_first_problem_is_named() {
        assert!(filled("", "", "", "").unwrap_err().contains("first name"));
        assert!(filled("Ada", "12", "", "").unwrap_err().contains("phone"));
        assert!(filled("Ada", "12x456", "", "").unwrap_err().contains("phone"));
        assert!(filled("Ada", "123", "ada@example", "").unwrap_err().contains("e-mail"));
        assert!(filled("Ada", "123", "ada@@example.org", "").unwrap_err().contains("e-mail"));
        assert!(filled("Ada", "123", "", "12345").unwrap_err().contains("password"));
    }

    #[test]
    fn a_complete_form_is_a_contact() {
        let contact = filled("Ada", "+44 123", "ada@example.org", "secret").unwrap();
        assert_eq!((contact.name.as_str(), contact.kind), ("Ada", "Mobile"));
    }
}
