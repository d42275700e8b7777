//! A stream that passes over what comes too early.
//!
//! `rmcp` ends a conversation if anything but a request comes before the client
//! has settled on a revision of the protocol: a client that gives up its
//! `server/discover`, says so, and goes on with `initialize` would be cut off.
//! A notification says nothing yet at that point, so it is not passed on.

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, GetMeta};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::future::Future;
use std::io;
use tokio::io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf};

pub(crate) struct Patient<S: AsyncRead + AsyncWrite> {
    lines: AsyncRwTransport<RoleServer, ReadHalf<S>, WriteHalf<S>>,
    /// The client has settled on a revision.
    settled: bool,
}

impl<S: AsyncRead + AsyncWrite + Send + 'static> Patient<S> {
    pub(crate) fn new(stream: S) -> Self {
        let (read, write) = tokio::io::split(stream);
        Self { lines: AsyncRwTransport::new_server(read, write), settled: false }
    }
}

impl<S: AsyncRead + AsyncWrite + Send + 'static> Transport<RoleServer> for Patient<S> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.lines.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.lines.receive().await?;
            match &message {
                RxJsonRpcMessage::<RoleServer>::Request(request) => {
                    self.settled |= settles(&request.request);
                    return Some(message);
                }
                _ if self.settled => return Some(message),
                _ => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.lines.close().await
    }
}

fn settles(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => request.get_meta().protocol_version().is_some(),
    }
}
