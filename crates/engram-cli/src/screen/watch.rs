//! The screen of `engram watch`: what goes on, the latest at the bottom, and more
//! of what is selected below it.

use super::plain::{is_bad, place, told};
use super::{Key, Names, Paint, WIDE, group_of};
use crate::args::Group;
use crate::show::{self, Look, cut, wrap};
use clap::ValueEnum as _;
use engram_core::MemoryId;
use engram_wire::activity::{Activity, What};
use engram_wire::reply::Inspected;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use std::collections::VecDeque;

/// So many events are kept; older ones are let go.
const KEPT: usize = 500;

const NAME: &str = "engram watch";

/// What was heard, and how it is looked at.
pub(crate) struct Feed {
    names: Names,
    /// The oldest first.
    events: VecDeque<Activity>,
    /// What came while it was held still. None: it is not.
    waiting: Option<VecDeque<Activity>>,
    hidden: Vec<Group>,
    /// The number of an event. None: the latest are followed.
    selected: Option<u64>,
    more: Option<More>,
    there: bool,
}

/// What is known of the event that somebody opened.
struct More {
    event: u64,
    memory: Option<MemoryId>,
    text: String,
}

/// What somebody wants who pressed a key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    None,
    End,
    /// To see this memory.
    Show(MemoryId),
}

impl Feed {
    /// `only` are the groups that are shown at first; none: all.
    pub(crate) fn new(names: Names, only: &[Group], there: bool) -> Self {
        let all = Group::value_variants().iter().copied();
        let hidden = all.filter(|group| !only.is_empty() && !only.contains(group)).collect();
        let (events, waiting, selected, more) = (VecDeque::new(), None, None, None);
        Self { names, events, waiting, hidden, selected, more, there }
    }

    pub(crate) fn hear(&mut self, activity: Activity) {
        let events = self.waiting.as_mut().unwrap_or(&mut self.events);
        events.push_back(activity);
        if events.len() > KEPT {
            events.pop_front();
        }
    }

    /// Whether there is a daemon that tells.
    pub(crate) fn set_there(&mut self, there: bool) {
        self.there = there;
    }

    /// What is known of a memory that was wished for, or why nothing is.
    pub(crate) fn show(&mut self, memory: MemoryId, known: Result<&Inspected, &str>, look: &Look) {
        if let Some(more) = self.more.as_mut().filter(|more| more.memory == Some(memory)) {
            let plain = Look { color: false, ..*look };
            more.text = match known {
                Ok(known) => show::inspected(known, &plain),
                Err(problem) => show::clean(problem),
            };
        }
    }

    pub(crate) fn press(&mut self, key: Key) -> Wish {
        match key {
            key if key.ends() => return Wish::End,
            Key::Char(' ') => self.hold_or_go_on(),
            Key::Char(digit @ '1'..='6') => self.show_or_hide(digit),
            Key::Char('j') | Key::Down => self.select(true),
            Key::Char('k') | Key::Up => self.select(false),
            Key::Enter => return self.open(),
            Key::Escape if self.more.is_some() => self.more = None,
            Key::Escape => self.selected = None,
            Key::Char(_) | Key::Interrupt | Key::Resized => {}
        }
        Wish::None
    }

    fn hold_or_go_on(&mut self) {
        match self.waiting.take() {
            None => self.waiting = Some(VecDeque::new()),
            Some(waiting) => waiting.into_iter().for_each(|activity| self.hear(activity)),
        }
    }

    fn show_or_hide(&mut self, digit: char) {
        let place = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
        let Some(group) = Group::value_variants().get(place.wrapping_sub(1)) else { return };
        match self.hidden.iter().position(|hidden| hidden == group) {
            Some(place) => drop(self.hidden.remove(place)),
            None => self.hidden.push(*group),
        }
    }

    fn visible(&self) -> Vec<&Activity> {
        let is_hidden = |what: &What| group_of(what).is_some_and(|group| self.hidden.contains(&group));
        self.events.iter().filter(|activity| !is_hidden(&activity.what)).collect()
    }

    /// Where the selected one is among those that can be seen.
    fn place_of_selected(&self, visible: &[&Activity]) -> Option<usize> {
        visible.iter().position(|activity| Some(activity.number) == self.selected)
    }

    fn select(&mut self, later: bool) {
        let visible = self.visible();
        let Some(last) = visible.len().checked_sub(1) else { return };
        let place = match self.place_of_selected(&visible) {
            None => last,
            Some(place) if later => (place + 1).min(last),
            Some(place) => place.saturating_sub(1),
        };
        self.selected = Some(visible[place].number);
    }

    /// Opens the selected one, or the latest.
    fn open(&mut self) -> Wish {
        let visible = self.visible();
        let place = self.place_of_selected(&visible).or(visible.len().checked_sub(1));
        let Some(activity) = place.map(|place| visible[place]) else { return Wish::None };
        let memory = memory_of(&activity.what);
        let text = facts(activity, &self.names);
        let event = activity.number;
        self.selected = Some(event);
        self.more = Some(More { event, memory, text });
        memory.map_or(Wish::None, Wish::Show)
    }

    pub(crate) fn draw(&self, frame: &mut Frame, look: &Look) {
        let paint = Paint { color: look.color };
        let more = if self.more.is_some() { Constraint::Percentage(50) } else { Constraint::Length(0) };
        let [head, feed, below, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(1), more, Constraint::Length(1)])
                .areas(frame.area());
        frame.render_widget(Paragraph::new(self.head(head.width, paint)), head);
        frame.render_widget(Paragraph::new(self.rows(feed, look, paint)), feed);
        if let Some(more) = &self.more {
            frame.render_widget(Paragraph::new(opened(more, below, paint)), below);
        }
        let foot_text = cut(&self.foot(foot.width), usize::from(foot.width));
        frame.render_widget(Paragraph::new(Line::styled(foot_text, paint.dim())), foot);
    }

    /// What it is, how it stands, and the keys where there is room.
    fn head(&self, width: u16, paint: Paint) -> Line<'static> {
        const KEYS: &str = "space hold  j k Enter Esc  q end";
        let mut state = String::new();
        if !self.there {
            state += "  no daemon; waiting";
        }
        if let Some(waiting) = &self.waiting {
            state += &format!("  held, {} new", waiting.len());
        }
        let left = NAME.len() + state.len() + KEYS.len();
        let mut spans = vec![Span::styled(NAME, paint.title()), Span::styled(state, paint.bad())];
        if let Some(gap) = usize::from(width).checked_sub(left).filter(|gap| *gap >= 2) {
            spans.extend([Span::raw(" ".repeat(gap)), Span::styled(KEYS, paint.dim())]);
        }
        Line::from(spans)
    }

    fn rows(&self, area: Rect, look: &Look, paint: Paint) -> Vec<Line<'static>> {
        let visible = self.visible();
        if visible.is_empty() {
            return vec![Line::styled("Nothing went on yet.", paint.dim())];
        }
        let height = usize::from(area.height);
        let last_page = visible.len().saturating_sub(height);
        let selected = self.place_of_selected(&visible);
        let first = selected.map_or(last_page, |place| place.saturating_sub(height / 2).min(last_page));
        let chosen = selected.map(|place| visible[place].number);
        let page = visible.into_iter().skip(first).take(height);
        page.map(|activity| self.row(activity, chosen, area.width, look, paint)).collect()
    }

    fn row(
        &self,
        activity: &Activity,
        chosen: Option<u64>,
        width: u16,
        look: &Look,
        paint: Paint,
    ) -> Line<'static> {
        let is_chosen = chosen == Some(activity.number);
        let time = activity.at.to_zoned((look.zone)()).strftime("%H:%M:%S").to_string();
        let word = activity.what.word();
        let (word, place) = if width < WIDE {
            (format!("{:<9}", cut(word, 9)), String::new())
        } else {
            (format!("{word:<13}"), format!("{:<16}  ", cut(&place(activity, &self.names), 16)))
        };
        let mark = if is_chosen { "> " } else { "  " };
        let taken = mark.len() + time.len() + word.len() + show::columns(&place) + 4;
        let room = usize::from(width).saturating_sub(taken);
        let parts: Vec<String> = told(activity).into_iter().filter(|part| !part.is_empty()).collect();
        let tone = if is_bad(&activity.what) { paint.bad() } else { paint.word() };
        let line = Line::from(vec![
            Span::raw(mark),
            Span::styled(time, paint.dim()),
            Span::raw("  "),
            Span::styled(word, tone),
            Span::raw("  "),
            Span::styled(place, paint.dim()),
            Span::raw(cut(&parts.join("  "), room)),
        ]);
        if is_chosen { line.style(paint.chosen()) } else { line }
    }

    /// The groups, those that are hidden in brackets; where there is little room,
    /// the keys instead of their names.
    fn foot(&self, width: u16) -> String {
        if width < WIDE {
            let hidden = match self.hidden.len() {
                0 => String::new(),
                some => format!(" ({some} hidden)"),
            };
            return format!("1-6{hidden} space j k Enter Esc q");
        }
        let group = |(place, group): (usize, &Group)| {
            let name = group.to_possible_value().map(|value| value.get_name().to_owned());
            let text = format!("{} {}", place + 1, name.unwrap_or_default());
            if self.hidden.contains(group) { format!("({text})") } else { text }
        };
        let groups: Vec<String> = Group::value_variants().iter().enumerate().map(group).collect();
        groups.join(" ")
    }
}

/// The memory that an event is about, or the first of them.
fn memory_of(what: &What) -> Option<MemoryId> {
    match what {
        What::Decided { memory, .. } => *memory,
        What::Told { memories, .. } | What::Changed { memories, .. } => memories.first().copied(),
        _ => None,
    }
}

/// Everything that an event tells, a line for each thing.
fn facts(activity: &Activity, names: &Names) -> String {
    let mut lines = vec![format!("{}  {}", activity.what.word(), place(activity, names))];
    lines.extend(told(activity).into_iter().filter(|part| !part.is_empty()));
    lines.extend(activity.session.map(|session| format!("session {session}")));
    lines.extend(activity.agent.as_deref().map(|agent| format!("agent {}", show::clean_line(agent))));
    lines.join("\n")
}

fn opened(more: &More, area: Rect, paint: Paint) -> Vec<Line<'static>> {
    let title = format!("── event {} ", more.event);
    let rule = "─".repeat(usize::from(area.width).saturating_sub(show::columns(&title)));
    let text = wrap(&more.text, usize::from(area.width));
    let text = text.into_iter().map(|line| Line::raw(cut(&line, usize::from(area.width))));
    std::iter::once(Line::styled(title + &rule, paint.dim())).chain(text).collect()
}

#[cfg(test)]
mod tests {
    use super::super::plain::tests::activities;
    use super::super::tests::{drawn, is_coloured};
    use super::*;
    use crate::show::tests::{OLD, look, memory, reply};
    use expect_test::expect;
    use serde_json::json;

    fn feed() -> Feed {
        let mut feed = Feed::new(Names::here(Some("shop".to_owned())), &[], true);
        activities().into_iter().for_each(|activity| feed.hear(activity));
        feed
    }

    fn screen(feed: &Feed, width: u16, height: u16) -> String {
        drawn(width, height, |frame| feed.draw(frame, &look()))
    }

    #[test]
    fn a_wide_screen_has_every_column() {
        expect![[r#"
            "engram watch                                    space hold  j k Enter Esc  q end"
            "  10:02:00  session_began  project shop      9R1S3T60 of claude-code            "
            "  10:02:01  hooked         project shop      SessionStart  12.2 ms              "
            "  10:02:02  heard          project shop      user_message  1 turn  2 secrets ma…"
            "  10:02:03  decided        project shop      create  "we deploy␛ on fridays"  s…"
            "  10:02:04  recalled       project shop      search  "when do we deploy"  2 hit…"
            "  10:02:05  told           project shop      prompt  2 memories  1,412 characte…"
            "  10:02:06  changed        project shop      edit  "we deploy on fridays"  1 me…"
            "  10:02:07  hooked         project shop      Stop  problem: the store is locked "
            "  10:02:08  session_ended  project shop      9R1S3T60 of claude-code  1 memory… "
            "  10:02:09  dreaming       project shop      fade  3 of 9  dry run              "
            "  10:02:10  dreamt         project shop      4 changes  0.2 s                   "
            "  10:02:11  working        project shop      backing up  3                      "
            "  10:02:12  failed         project shop      reading what was heard  the disk i…"
            "  10:02:13  missed         project shop      6 events came too fast             "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "1 captures 2 decisions 3 recalls 4 injections 5 dreams 6 hooks                  "
        "#]]
        .assert_eq(&screen(&feed(), 80, 24));
    }

    #[test]
    fn a_narrow_screen_leaves_columns_out() {
        expect![[r#"
            "engram watch                            "
            "  10:02:04  recalled   search  "when do…"
            "  10:02:05  told       prompt  2 memori…"
            "  10:02:06  changed    edit  "we deploy…"
            "  10:02:07  hooked     Stop  problem: t…"
            "  10:02:08  session_…  9R1S3T60 of cl…  "
            "  10:02:09  dreaming   fade  3 of 9  dr…"
            "  10:02:10  dreamt     4 changes  0.2 s "
            "  10:02:11  working    backing up  3    "
            "  10:02:12  failed     reading what was…"
            "  10:02:13  missed     6 events came to…"
            "1-6 space j k Enter Esc q               "
        "#]]
        .assert_eq(&screen(&feed(), 40, 12));
    }

    #[test]
    fn what_is_selected_is_shown_below_with_its_memory() {
        let mut feed = feed();
        for _ in 0..11 {
            feed.press(Key::Char('k'));
        }
        let id: MemoryId = OLD.parse().unwrap();
        assert_eq!(feed.press(Key::Enter), Wish::Show(id));
        expect![[r#"
            "engram watch                                    space hold  j k Enter Esc  q end"
            "  10:02:00  session_began  project shop      9R1S3T60 of claude-code            "
            "  10:02:01  hooked         project shop      SessionStart  12.2 ms              "
            "  10:02:02  heard          project shop      user_message  1 turn  2 secrets ma…"
            "> 10:02:03  decided        project shop      create  "we deploy␛ on fridays"  s…"
            "  10:02:04  recalled       project shop      search  "when do we deploy"  2 hit…"
            "  10:02:05  told           project shop      prompt  2 memories  1,412 characte…"
            "  10:02:06  changed        project shop      edit  "we deploy on fridays"  1 me…"
            "  10:02:07  hooked         project shop      Stop  problem: the store is locked "
            "  10:02:08  session_ended  project shop      9R1S3T60 of claude-code  1 memory… "
            "  10:02:09  dreaming       project shop      fade  3 of 9  dry run              "
            "── event 4 ─────────────────────────────────────────────────────────────────────"
            "decided project shop                                                            "
            "create                                                                          "
            ""we deploy␛ on fridays"                                                         "
            "stated by the user                                                              "
            "session 01JD3V8Q2Y6K4M5N7P9R1S3T60                                              "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "                                                                                "
            "1 captures 2 decisions 3 recalls 4 injections 5 dreams 6 hooks                  "
        "#]]
        .assert_eq(&screen(&feed, 80, 24));
        let known = reply(json!({"memory": memory(OLD, "we deploy on fridays"), "retention": 0.9,
            "strength": 0.5, "status_history": [], "relations": []}));
        feed.show(id, Ok(&known), &look());
        assert!(screen(&feed, 80, 24).contains("we deploy on fridays"));
        feed.show(id, Err("no memory is called so"), &look());
        expect![[r#"
            "engram watch                            "
            "  10:02:01  hooked     SessionStart  12…"
            "  10:02:02  heard      user_message  1… "
            "> 10:02:03  decided    create  "we depl…"
            "  10:02:04  recalled   search  "when do…"
            "── event 4 ─────────────────────────────"
            "no memory is called so                  "
            "                                        "
            "                                        "
            "                                        "
            "                                        "
            "1-6 space j k Enter Esc q               "
        "#]]
        .assert_eq(&screen(&feed, 40, 12));
        feed.press(Key::Escape);
        assert!(!screen(&feed, 40, 12).contains("no memory is called so"));
    }

    #[test]
    fn an_event_about_no_memory_is_opened_and_nothing_is_asked() {
        let mut feed = feed();
        assert_eq!(feed.press(Key::Enter), Wish::None);
        assert!(screen(&feed, 80, 24).contains("── event 14 "));
    }

    #[test]
    fn what_comes_while_it_is_held_waits_and_is_counted() {
        let mut feed = Feed::new(Names::default(), &[], true);
        let mut all = activities().into_iter();
        feed.hear(all.next().unwrap());
        feed.press(Key::Char(' '));
        all.for_each(|activity| feed.hear(activity));
        let held = screen(&feed, 80, 24);
        assert!(held.contains("held, 13 new") && !held.contains("dreamt"), "{held}");
        feed.press(Key::Char(' '));
        let told = screen(&feed, 80, 24);
        assert!(!told.contains("held") && told.contains("dreamt"), "{told}");
    }

    #[test]
    fn a_group_is_hidden_and_shown_again_and_what_went_wrong_stays() {
        let mut feed = Feed::new(Names::default(), &[Group::Dreams], true);
        activities().into_iter().for_each(|activity| feed.hear(activity));
        let only = screen(&feed, 80, 24);
        assert!(only.contains("dreamt") && only.contains("failed") && !only.contains("recalled"), "{only}");
        assert!(only.contains("(3 recalls)") && only.contains(" 5 dreams "), "{only}");
        feed.press(Key::Char('3'));
        feed.press(Key::Char('5'));
        let other = screen(&feed, 80, 24);
        assert!(other.contains("recalled") && !other.contains("dreamt"), "{other}");
    }

    #[test]
    fn a_daemon_that_is_gone_is_waited_for_and_that_can_be_seen() {
        let mut feed = Feed::new(Names::default(), &[], false);
        assert!(screen(&feed, 40, 12).contains("no daemon; waiting"));
        assert!(screen(&feed, 40, 12).contains("Nothing went on yet."));
        feed.set_there(true);
        assert!(!screen(&feed, 40, 12).contains("no daemon"));
    }

    #[test]
    fn no_more_is_kept_than_can_be_looked_at() {
        let mut feed = Feed::new(Names::default(), &[], true);
        for number in 0..2_000 {
            feed.hear(Activity { number, ..activities().swap_remove(0) });
        }
        assert_eq!((feed.events.len(), feed.events.back().map(|last| last.number)), (KEPT, Some(1_999)));
    }

    #[test]
    fn without_colour_there_are_attributes_alone() {
        let feed = feed();
        let with = |color| is_coloured(|frame| feed.draw(frame, &Look { color, ..look() }));
        assert!(with(true));
        assert!(!with(false));
    }

    #[test]
    fn q_and_an_interrupt_end_it() {
        assert_eq!(feed().press(Key::Char('q')), Wish::End);
        assert_eq!(feed().press(Key::Interrupt), Wish::End);
        assert_eq!(feed().press(Key::Char('x')), Wish::None);
    }

    #[test]
    fn the_smallest_terminal_is_drawn_on() {
        for (width, height) in [(1, 1), (5, 3), (20, 2)] {
            let mut feed = feed();
            feed.press(Key::Enter);
            assert_eq!(screen(&feed, width, height).lines().count(), usize::from(height));
        }
    }
}
