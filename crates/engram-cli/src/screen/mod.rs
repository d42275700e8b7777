//! The terminal as a screen: opened, drawn on, and given back as it was, whatever
//! ends the program. This folder alone names the libraries for it.
//!
//! It asks nobody; what it shows is handed to it.

mod plain;
mod top;
mod watch;

pub(crate) use plain::{Names, group_of, line};
pub(crate) use top::Vitals;
pub(crate) use watch::{Feed, Wish};

use engram_wire::Fault;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::style::force_color_output;
use ratatui::style::{Color, Modifier, Style};
use ratatui::{DefaultTerminal, Frame};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;

/// Below this width columns are left out.
const WIDE: u16 = 60;

/// The screen, as long as it is open.
pub(crate) struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    /// A panic gives the terminal back before it is told of.
    pub(crate) fn open(color: bool) -> Result<Self, Fault> {
        // Whoever wants colour has said so already; the library would ask again.
        force_color_output(color);
        match ratatui::try_init() {
            Ok(terminal) => Ok(Self { terminal }),
            Err(error) => {
                ratatui::restore();
                Err(unusable(&error))
            }
        }
    }

    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> Result<(), Fault> {
        self.terminal.draw(draw).map(drop).map_err(|error| unusable(&error))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

fn unusable(error: &io::Error) -> Fault {
    Fault::environment(format!("the terminal could not be used: {error}"))
        .hint("without a terminal it is printed as text: add `| cat`")
}

/// What somebody pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Up,
    Down,
    Enter,
    Escape,
    /// What ends a program everywhere.
    Interrupt,
    /// Nothing: the terminal has another size, and has to be drawn again.
    Resized,
}

impl Key {
    const fn ends(self) -> bool {
        matches!(self, Key::Char('q') | Key::Interrupt)
    }
}

/// Reads what is pressed, in a thread of its own, for as long as somebody wants to
/// know.
pub(crate) fn keys(mut tell: impl FnMut(Key) -> bool + Send + 'static) {
    std::thread::spawn(move || {
        loop {
            // A terminal that cannot be read is gone.
            let Ok(event) = event::read() else {
                tell(Key::Interrupt);
                return;
            };
            if key_of(&event).is_some_and(|key| !tell(key)) {
                return;
            }
        }
    });
}

fn key_of(event: &Event) -> Option<Key> {
    let key = match event {
        Event::Resize(..) => return Some(Key::Resized),
        Event::Key(key) if key.kind != KeyEventKind::Release => key,
        _ => return None,
    };
    match key.code {
        KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => Some(Key::Interrupt),
        KeyCode::Char(_) if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => None,
        KeyCode::Char(c) => Some(Key::Char(c)),
        KeyCode::Up => Some(Key::Up),
        KeyCode::Down => Some(Key::Down),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Esc => Some(Key::Escape),
        _ => None,
    }
}

/// Hears that the program is to end, in a thread of its own: whoever draws ends,
/// and gives the terminal back.
pub(crate) fn signals(mut tell: impl FnMut(i32) -> bool + Send + 'static) -> Result<(), Fault> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| Fault::environment(format!("signals cannot be heard: {error}")))?;
    std::thread::spawn(move || signals.forever().take_while(|signal| tell(*signal)).for_each(drop));
    Ok(())
}

/// What a shell reads of a program that a signal has ended.
pub(crate) fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(1)
}

/// How things are set off from each other. Without colour by attributes alone;
/// neither says what no word or mark says as well.
#[derive(Clone, Copy)]
struct Paint {
    color: bool,
}

impl Paint {
    const fn title(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    const fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    const fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    const fn word(self) -> Style {
        if self.color { Style::new().fg(Color::Cyan) } else { Style::new() }
    }

    const fn bad(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if self.color { style.fg(Color::Red) } else { style }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::KeyEvent;

    /// What a terminal of this size shows.
    pub(crate) fn drawn(width: u16, height: u16, draw: impl FnOnce(&mut Frame)) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(draw).unwrap();
        terminal.backend().to_string()
    }

    /// Whether anything on it has a colour.
    pub(crate) fn is_coloured(draw: impl FnOnce(&mut Frame)) -> bool {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(draw).unwrap();
        let buffer = terminal.backend().buffer();
        buffer.content.iter().any(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset)
    }

    #[test]
    fn control_and_c_end_it_and_a_letter_with_control_is_no_letter() {
        let key = |code, modifiers| key_of(&Event::Key(KeyEvent::new(code, modifiers)));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Interrupt));
        assert_eq!(key(KeyCode::Char('q'), KeyModifiers::CONTROL), None);
        assert_eq!(key(KeyCode::Char('q'), KeyModifiers::NONE), Some(Key::Char('q')));
        assert_eq!(key(KeyCode::F(1), KeyModifiers::NONE), None);
        assert_eq!(key_of(&Event::Resize(1, 1)), Some(Key::Resized));
        assert_eq!(exit_code(SIGTERM), 143);
    }
}
