import type { ClientApi } from '#clients/client.ts';
import type { Package } from './packages.ts';
import type { Reply } from './provider/turn.ts';

/**
 * Returns the command for a prompt in the variable PROMPT.
 * @param shown the last command of the table; empty if the table has only files
 */
type Command = (shown: string) => string;

/** How a client of the table runs without a person. */
export interface Program {
  readonly client: Package;
  readonly api: Exclude<ClientApi, 'ollama'>;
  /** Whether the model is one of the server. */
  readonly isLocal?: boolean;
  readonly command: Command;
  /** What a person types, if a command of the table asks. */
  readonly input?: (key: string) => string;
  /** Turns off what it sends to others, its updates and its own questions. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The command for an answer that is not a stream. Absent: the client has no setting for it, and only streams. */
  readonly whole?: Command;
  /** What the model answers, so that the file has `newWord`. A text: the client edits without tools. */
  readonly edit: (file: string) => readonly Reply[];
  /** The command with tools, if the client has none of its own that edits files. */
  readonly withTools?: Command;
  /** The requests for one prompt. More than one: it also asks for a title. */
  readonly prompts?: number;
  /** The requests with a wrong key, if they are more than `prompts`. */
  readonly wrongKey?: number;
}

export const oldWord = 'tulip';
export const newWord = 'daffodil';
const patch = `*** Begin Patch
*** Update File: notes.txt
@@
-${oldWord}
+${newWord}
*** End Patch`;

const prompt = '"$PROMPT"';

const claudeCode: Program = {
  ...{ client: 'claude-code', api: 'anthropic' },
  command: (shown) => `${shown} -p ${prompt} --permission-mode acceptEdits`,
  variables: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  edit: (file) => [
    { tool: 'Read', input: { file_path: file } },
    { tool: 'Edit', input: { file_path: file, old_string: oldWord, new_string: newWord } },
  ],
};

const codex: Program = {
  ...{ client: 'codex', api: 'openai' },
  command: (shown) =>
    `${shown} exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox ${prompt}`,
  edit: () => [
    { tool: 'exec_command', input: { cmd: `sed -i s/${oldWord}/${newWord}/ notes.txt` } },
  ],
  wrongKey: 6,
};

/** A tool for llm, which has none that edits files. */
const pythonTool = `def replace(old: str, new: str) -> str:
    "Replaces a word in notes.txt."
    text = open("notes.txt").read().replace(old, new)
    open("notes.txt", "w").write(text)
    return text`;

/** The clients of the table that install from npm or PyPI, with each API whose settings are not a window. */
export const programs: readonly Program[] = [
  claudeCode,
  { ...claudeCode, isLocal: true },
  codex,
  { ...codex, isLocal: true },
  {
    ...{ client: 'gemini-cli', api: 'gemini' },
    command: (shown) => `${shown} -p ${prompt} --approval-mode yolo --skip-trust`,
    edit: (file) => [
      {
        tool: 'replace',
        input: { file_path: file, old_string: oldWord, new_string: newWord, instruction: 'x' },
      },
    ],
  },
  opencode('openai'),
  opencode('openai', true),
  opencode('anthropic'),
  opencode('gemini'),
  qwen('openai'),
  qwen('anthropic'),
  aider('openai'),
  aider('anthropic'),
  aider('gemini'),
  {
    ...{ client: 'cline', api: 'openai' },
    command: (shown) => shown.replace('"say hello"', `--auto-approve true ${prompt}`),
    // Models whose name begins with gpt get this tool, others `editor`.
    edit: () => [{ tool: 'apply_patch', input: { input: patch } }],
  },
  continued('openai'),
  continued('anthropic'),
  {
    ...{ client: 'llm', api: 'openai' },
    command: (shown) => shown.replace('hello', prompt),
    input: (key) => `${key}\n`,
    whole: (shown) => shown.replace('hello', `--no-stream ${prompt}`),
    withTools: (shown) => shown.replace('hello', `--functions '${pythonTool}' ${prompt}`),
    edit: () => [{ tool: 'replace', input: { old: oldWord, new: newWord } }],
  },
];

function opencode(api: Program['api'], isLocal = false): Program {
  return {
    ...{ client: 'opencode', api, isLocal },
    command: () => `opencode run ${prompt}`,
    // Its installation of a plugin fails at once without a network, instead of after a minute.
    variables: {
      ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      npm_config_fetch_retries: '0',
    },
    edit: (file) => [
      { tool: 'read', input: { filePath: file } },
      // Models whose name begins with gpt get another tool.
      api === 'openai' && !isLocal
        ? { tool: 'apply_patch', input: { patchText: patch } }
        : { tool: 'edit', input: { filePath: file, oldString: oldWord, newString: newWord } },
    ],
    prompts: 2,
  };
}

function qwen(api: Program['api']): Program {
  return {
    ...{ client: 'qwen-code', api },
    command: (shown) => `${shown} -p ${prompt} --approval-mode yolo`,
    edit: (file) => [
      { tool: 'read_file', input: { file_path: file } },
      { tool: 'edit', input: { file_path: file, old_string: oldWord, new_string: newWord } },
    ],
  };
}

function aider(api: Program['api']): Program {
  const flags =
    '--yes-always --no-git --no-check-update --analytics-disable --no-show-model-warnings';
  return {
    ...{ client: 'aider', api },
    variables: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    command: (shown) => `${shown} ${flags} --message ${prompt} notes.txt`,
    whole: (shown) => `${shown} ${flags} --no-stream --message ${prompt} notes.txt`,
    edit: () => [
      {
        text: `notes.txt
\`\`\`
<<<<<<< SEARCH
${oldWord}
=======
${newWord}
>>>>>>> REPLACE
\`\`\`
`,
      },
    ],
  };
}

function continued(api: Program['api']): Program {
  return {
    ...{ client: 'continue', api },
    command: () => `cn --auto -p ${prompt}`,
    variables: { CONTINUE_CLI_ENABLE_TELEMETRY: '0', CONTINUE_TELEMETRY_ENABLED: '0' },
    edit: (file) => [
      { tool: 'Read', input: { filepath: file } },
      {
        tool: 'MultiEdit',
        input: { file_path: file, edits: [{ old_string: oldWord, new_string: newWord }] },
      },
    ],
  };
}
