//! The server over streamable HTTP, for programs on this machine that know the
//! token.
//!
//! Every request stands for itself; nothing is kept between two of them, so
//! there is nothing to restore, to leak or to run out of.

use crate::Desk;
use crate::server::Server;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use engram_wire::message::{Context, Profile};
use engram_wire::token;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

const HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Serves at `/mcp`. The host, and the origin if there is one, must be this
/// machine (403), and the bearer must know the token (401).
pub fn http_service(desk: Arc<dyn Desk>, context: Context, profile: Profile, token: String) -> Router {
    let origins =
        HOSTS.iter().flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(HOSTS)
        .with_allowed_origins(origins)
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let make = move || Ok(Server::new(Arc::clone(&desk), context.clone(), profile));
    let service = StreamableHttpService::new(make, Arc::new(NeverSessionManager::default()), config);
    Router::new().route_service("/mcp", service).layer(from_fn_with_state(Arc::<str>::from(token), let_in))
}

async fn let_in(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    if bears(request.headers(), &token) {
        return next.run(request).await;
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, challenge, "this needs the token of engram's web server\n").into_response()
}

fn bears(headers: &HeaderMap, token: &str) -> bool {
    let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    sent.is_some_and(|sent| token::bears(sent, token))
}
