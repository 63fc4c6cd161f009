interface Text {
  readonly words: RegExp;
  /** The file of Ollama that the text is from. */
  readonly source: string;
}

/**
 * What Ollama says when a model does not fit into the memory. It gives no codes, only texts; those
 * of llama.cpp below it follow in the same error.
 */
const texts: readonly Text[] = [
  // Up to 0.24; newer versions start llama-server, and it fails.
  { words: /requires more system memory/, source: 'llm/server.go' },
  {
    words:
      /out[ -]of[ -](?:device )?memory|(?:cuda|hip)Malloc failed|failed to allocate|unable to allocate|allocation failed|(?:not enough|insufficient) memory|ErrorOutOfDeviceMemory/i,
    source: 'llm/status.go',
  },
  // The kernel ends the process while it loads, while it waits, and while it answers.
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
  // A model that is read from swap for five minutes.
  { words: /timed out waiting for llama[\w -]* to start/, source: 'llm/llama_server.go' },
];

/** Whether an error of Ollama means that the server has too little memory for the model. */
export function isTooLarge(error: string): boolean {
  return texts.some(({ words }) => words.test(error));
}
