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

/// Show what `razorgirl audit` finds in an editor: a language server on standard input and output
///
/// An editor starts it. It shows the findings of every open folder, or of a file outside of all, as one types: the text in the
/// editor counts, saved or not. A hover over a layout shows its size, its cosize, whether it is injective, and its table. A fix that
/// was checked is offered as a quick fix, after the whole project was audited with it. `razorgirl.toml` and comments that allow
/// findings hold as they do for `razorgirl audit`: a folder is audited as that command does it there, without a path.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EDITORS)]
pub struct Args {
    /// standard input and output, as some editors say; there is nothing else
    #[arg(long)]
    stdio: bool,
}

/// Serves.
pub fn run(_: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let orderly = razorgirl_lsp::serve(BufReader::new(std::io::stdin()), out)?;
    Ok(if orderly { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
