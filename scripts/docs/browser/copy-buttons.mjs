// A button on every block of code that copies it.

const SHOWN_MS = 1500;

export function addCopyButtons(blocks) {
  // Browsers offer the clipboard only to pages that came over a safe way.
  if (!navigator.clipboard) return;
  for (const block of blocks) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const isCopied = await navigator.clipboard.writeText(block.textContent).then(
        () => true,
        () => false,
      );
      button.textContent = isCopied ? 'Copied' : 'Not allowed';
      setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
    });
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}
