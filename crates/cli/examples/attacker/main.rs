//! An agent that plays random moves of Lines of Action and makes one attack, for the tests of the sandboxes.
//! `docs/security.md` lists the attacks.
//!
//! ```sh
//! attacker DIALECT [--attack NAME] [--range FOLDER] [--port PORT]
//! attacker --list
//! ```
//!
//! The dialects are `ugi` and `nus`. The agent makes the attack at its second move, and writes the result to standard
//! error. Its dependencies are few, so that tests need no second large program.

#[cfg(target_os = "linux")]
mod attacks;
#[cfg(target_os = "linux")]
mod player;

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut dialect, mut attack, mut accomplice) = (None, None, None);
    let mut range = attacks::Range::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word}: expected a value"));
        match word.as_str() {
            "--list" => return Ok(attacks::list()?),
            "--attack" => attack = Some(attacks::Attack::named(&value()?)?),
            "--accomplice" => accomplice = Some(value()?),
            "--range" => range.folder = value()?.into(),
            "--port" => range.port = value()?.parse()?,
            _ => dialect = Some(word),
        }
    }
    if let Some(name) = accomplice {
        attacks::run_accomplice(&name, &range);
    }
    let before_move = |number| {
        if let Some(attack) = attack {
            attack.run_and_report(&range, number);
        }
    };
    match dialect.as_deref() {
        Some("ugi") => player::ugi(before_move),
        Some("nus") => player::nus(before_move),
        _ => Err("expected a dialect: ugi or nus".into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}
