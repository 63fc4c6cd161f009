import { join } from 'node:path';
import { type ModelFiles, modelOf } from '../../stand-ins/engine/models/put-tiny-model.ts';
import { talkingGguf } from '../model/talking-gguf.ts';
import { readVocabulary } from '../model/vocabulary.ts';
import type { Reply } from './provider/turn.ts';

/** What it writes without tools, as for the title of a conversation. */
const title = 'An edited file';

/**
 * ChatML with calls of tools, whose mark Ollama looks for after `if .ToolCalls`. Its last token says how many results
 * the model has read. The tools themselves are left out: it recites, and thousands of tokens take minutes.
 */
const template = `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}
{{- if .ToolCalls }}{{ range .ToolCalls }}
<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>
{{- end }}{{ end }}<|im_end|>
{{ end }}<|im_start|>assistant
{{ if .Tools }}{{ $turn := "x" }}
{{- range .Messages }}{{ if eq .Role "tool" }}{{ $turn = printf "%sx" $turn }}{{ end }}{{ end -}}
<|turn_{{ len $turn }}|>{{ end }}`;

/**
 * Builds a model of a real Ollama that recites replies, one after each result of a tool.
 * @param llama the folder of llama.cpp's sources
 */
export async function agentModel(llama: string, replies: readonly Reply[]): Promise<ModelFiles> {
  const vocabulary = await readVocabulary(join(llama, 'models/ggml-vocab-qwen2.gguf'));
  const weights = talkingGguf(vocabulary, { reply: title, turns: replies.map(textOf) });
  return modelOf(weights, 'qwen3', { template });
}

/** Returns a reply as Qwen3 writes it. */
function textOf(reply: Reply): string {
  if ('text' in reply) return reply.text;
  const call = JSON.stringify({ name: reply.tool, arguments: reply.input });
  return `<tool_call>\n${call}\n</tool_call>`;
}
