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
 * Builds the weights of a model that recites replies, one after each result of a tool, and its template.
 * @param llama the folder of llama.cpp's sources
 */
export async function agentWeights(llama: string, replies: readonly Reply[]) {
  const vocabulary = await readVocabulary(join(llama, 'models/ggml-vocab-qwen2.gguf'));
  const turns = replies.map(textOf);
  return { bytes: talkingGguf(vocabulary, { reply: title, turns }), template };
}

/** Builds that model in the form of Ollama's registry. */
export async function agentModel(llama: string, replies: readonly Reply[]): Promise<ModelFiles> {
  const { bytes } = await agentWeights(llama, replies);
  return modelOf(bytes, 'qwen3', { template });
}

/** Returns a reply as Qwen3 writes it. */
function textOf(reply: Reply): string {
  if ('text' in reply) return reply.text;
  const call = JSON.stringify({ name: reply.tool, arguments: reply.input });
  return `<tool_call>\n${call}\n</tool_call>`;
}
