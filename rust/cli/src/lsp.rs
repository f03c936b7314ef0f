//! `razorgirl lsp`.

use std::io::{BufReader, Write};
use std::process::ExitCode;

use razorgirl_view::failure::Failure;

/// What an editor is told.
const EDITORS: &str = "\
Neovim 0.11, in init.lua:

  vim.lsp.config('razorgirl', {
    cmd = { 'razorgirl', 'lsp' },
    filetypes = { 'cpp', 'cuda', 'python' },
    root_markers = { 'razorgirl.toml', '.git' },
  })
  vim.lsp.enable('razorgirl')

Any other client: the command is `razorgirl lsp`, the languages are C++, CUDA and Python (in VS Code `cpp`, `cuda-cpp`, `python`), and the root \
is the folder with razorgirl.toml or .git.";

/// Run the language server, which shows the findings of `razorgirl audit` in an editor
///
/// The editor starts this command. The server reports the findings of each open folder, and of each open file outside all folders. It
/// audits the text in the editor, saved or not. A hover over a layout shows its size, its cosize, whether it is injective, and its
/// table. A quick fix is offered after an audit of the whole project with the fix. `razorgirl.toml`, comments that allow findings,
/// .gitignore and .ignore have the same effect as for `razorgirl audit`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EDITORS)]
pub struct Args {
    /// accepted for editors that pass it: the server always uses standard input and output
    #[arg(long)]
    stdio: bool,
}

/// Serves.
pub fn run(_: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let orderly = razorgirl_lsp::serve(BufReader::new(std::io::stdin()), out)?;
    Ok(if orderly { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
