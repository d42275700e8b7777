//! The prompts a person may pick: `recall` and `remember`.

use crate::server::{Server, error_of};
use engram_wire::Order;
use engram_wire::message::Recall;
use engram_wire::reply::Recalled;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

pub(crate) fn listed() -> Vec<Prompt> {
    vec![
        prompt("recall", "Recall", "What engram remembers about a topic.", "topic", "What to recall."),
        prompt("remember", "Remember", "Keep something for later sessions.", "text", "What to remember."),
    ]
}

fn prompt(name: &str, title: &str, about: &str, argument: &str, argument_about: &str) -> Prompt {
    let argument = PromptArgument::new(argument).with_description(argument_about).with_required(true);
    Prompt::new(name, Some(about), Some(vec![argument])).with_title(title)
}

pub(crate) async fn get(
    server: &Server,
    name: &str,
    arguments: &JsonObject,
    from: &RequestContext<RoleServer>,
) -> Result<GetPromptResult, ErrorData> {
    let text = match name {
        "recall" => recall(server, text_of(arguments, name, "topic")?, from).await?,
        "remember" => format!(
            "Keep the following with the tool store_memory, one self-contained fact per call. \
             Then say in one line what was kept.\n\n{}",
            text_of(arguments, name, "text")?
        ),
        _ => return Err(ErrorData::invalid_params(format!("there is no prompt \"{name}\""), None)),
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}

async fn recall(
    server: &Server,
    topic: &str,
    from: &RequestContext<RoleServer>,
) -> Result<String, ErrorData> {
    let order = Order::Recall(Recall { query: topic.to_owned(), context: Some(0), ..Recall::default() });
    let recalled: Recalled = server.ask(order, from).await.map_err(|fault| error_of(&fault))?;
    let told = recalled.context.map(|context| context.text).filter(|text| !text.is_empty());
    Ok(match told {
        Some(told) => format!(
            "About \"{topic}\" this is remembered. Take it into account where it bears on the work.\n\n{told}"
        ),
        None => format!("About \"{topic}\" nothing is remembered that is sure enough to be told."),
    })
}

fn text_of<'a>(arguments: &'a JsonObject, prompt: &str, name: &str) -> Result<&'a str, ErrorData> {
    let text = arguments.get(name).and_then(|value| value.as_str()).map(str::trim);
    text.filter(|text| !text.is_empty()).ok_or_else(|| {
        ErrorData::invalid_params(format!("the prompt {prompt} needs the argument \"{name}\", a text"), None)
    })
}
