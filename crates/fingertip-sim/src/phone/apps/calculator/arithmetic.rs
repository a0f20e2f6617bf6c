//! Arithmetic with the usual precedence, brackets and decimals.

use std::iter::Peekable;
use std::str::Chars;

/// How many significant digits a result shows; fewer than a double has, so that 0.1 + 0.2 is 0.3.
const DIGITS: i32 = 12;

/// Beyond this a result is written with an exponent.
const LARGEST_PLAIN: f64 = 1e15;

/// How deep brackets may nest; a formula is short, but the stack is not endless.
const DEPTH_LIMIT: usize = 100;

/// Why a formula has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Problem {
    #[error("Can't divide by 0")]
    DivisionByZero,
    #[error("Format error")]
    Format,
    #[error("Value may be infinite")]
    Overflow,
}

/// The value of a formula.
pub(super) fn evaluate(formula: &str) -> Result<f64, Problem> {
    let mut parser = Parser { rest: formula.chars().peekable(), depth: 0 };
    let value = parser.sum()?;
    match parser.rest.next() {
        Some(_) => Err(Problem::Format),
        None if value.is_finite() => Ok(value),
        None => Err(Problem::Overflow),
    }
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    depth: usize,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<f64, Problem> {
        let mut value = self.product()?;
        loop {
            if self.rest.next_if_eq(&'+').is_some() {
                value += self.product()?;
            } else if self.rest.next_if_eq(&'−').is_some() {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, Problem> {
        let mut value = self.factor()?;
        loop {
            if self.rest.next_if_eq(&'×').is_some() {
                value *= self.factor()?;
            } else if self.rest.next_if_eq(&'÷').is_some() {
                let divisor = self.factor()?;
                if divisor == 0.0 {
                    return Err(Problem::DivisionByZero);
                }
                value /= divisor;
            } else {
                return Ok(value);
            }
        }
    }

    fn factor(&mut self) -> Result<f64, Problem> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(Problem::Format);
        }
        let value = if self.rest.next_if_eq(&'−').is_some() {
            -self.factor()?
        } else if self.rest.next_if_eq(&'(').is_some() {
            let value = self.sum()?;
            self.rest.next_if_eq(&')').ok_or(Problem::Format)?;
            value
        } else {
            self.number()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn number(&mut self) -> Result<f64, Problem> {
        let mut digits = String::new();
        while let Some(character) = self.rest.next_if(|next| next.is_ascii_digit() || "e.".contains(*next)) {
            digits.push(character);
        }
        digits.parse().map_err(|_| Problem::Format)
    }
}

/// A value in as few digits as it needs.
pub(super) fn format(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if value.abs() >= LARGEST_PLAIN || value.abs() < 1e-9 {
        return format!("{value:e}");
    }
    let whole_digits = value.abs().log10().floor() as i32 + 1;
    let decimals = (DIGITS - whole_digits).clamp(0, 15) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(formula: &str) -> String {
        evaluate(formula).map_or_else(|problem| problem.to_string(), format)
    }

    #[test]
    fn products_go_before_sums() {
        assert_eq!(shown("7+3"), "10");
        assert_eq!(shown("2+3×4−6÷3"), "12");
        assert_eq!(shown("(2+3)×4"), "20");
        assert_eq!(shown("−5×−2"), "10");
    }

    #[test]
    fn decimals_come_out_as_written() {
        assert_eq!(shown("0.1+0.2"), "0.3");
        assert_eq!(shown("1÷3"), "0.333333333333");
        assert_eq!(shown("1.50×2"), "3");
        assert_eq!(shown("999999999×999999999"), "9.99999998e17");
    }

    #[test]
    fn what_has_no_value_says_why() {
        assert_eq!(shown("1÷0"), "Can't divide by 0");
        assert_eq!(shown("0÷(1−1)"), "Can't divide by 0");
        assert_eq!(shown("7+"), "Format error");
        assert_eq!(shown("1.2.3"), "Format error");
        assert_eq!(shown(&"(".repeat(1000)), "Format error");
    }
}
