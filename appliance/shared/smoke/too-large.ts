interface Text {
  readonly words: RegExp;
  /** The file in Ollama's source that contains the text. */
  readonly source: string;
}

/**
 * Ollama's errors for a model that does not fit into memory. Ollama returns no error codes, and its
 * errors include those of llama.cpp, so the texts are matched.
 */
const texts: readonly Text[] = [
  // Up to 0.24. Newer versions start llama-server, which fails later.
  { words: /requires more system memory/, source: 'llm/server.go' },
  {
    words:
      /out[ -]of[ -](?:device )?memory|(?:cuda|hip)Malloc failed|failed to allocate|unable to allocate|allocation failed|(?:not enough|insufficient) memory|ErrorOutOfDeviceMemory/i,
    source: 'llm/status.go',
  },
  // The kernel's OOM killer ends the process while it loads, is idle, or generates.
  { words: /process has terminated: .*signal: killed/, source: 'llm/llama_server.go' },
  { words: /llama-server process no longer running: unknown/, source: 'llm/llama_server.go' },
  {
    words: /unexpectedly stopped, this may be due to resource limitations/,
    source: 'llm/llama_server.go',
  },
  {
    words: /encountered while running the model: .*unexpected EOF/,
    source: 'llm/llama_server.go',
  },
  // Loading through swap takes more than five minutes.
  { words: /timed out waiting for llama[\w -]* to start/, source: 'llm/llama_server.go' },
];

/** Returns whether an error of Ollama means that the model does not fit into memory. */
export function isTooLarge(error: string): boolean {
  return texts.some(({ words }) => words.test(error));
}
