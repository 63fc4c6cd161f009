import { join } from 'node:path';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import type { LocalModels } from '#contract/sizes/local-models.ts';
import { digestOf } from '#contract/trust/digest.ts';
import {
  type ModelFiles,
  modelOf,
  putModel,
  tinyModel,
} from '../stand-ins/engine/models/put-tiny-model.ts';
import { talkingGguf } from './model/talking-gguf.ts';
import { readVocabulary } from './model/vocabulary.ts';

/** What the models write: they recite. */
export const replies = {
  thinking: 'Okay, the user wants a short answer',
  chat: 'Hello! I am running on your own server: private and encrypted.',
  plain: 'This model has no tools.',
  endless: 'one two three four five six seven eight nine',
} as const;

/** ChatML with tools and thoughts, in Ollama's template language. */
const template = `{{- if or .System .Tools }}<|im_start|>system
{{ .System }}
{{- if .Tools }}
Tools:
{{- range .Tools }}
{{ .Function }}
{{- end }}
{{- end }}<|im_end|>
{{ end }}
{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 -}}
<|im_start|>{{ .Role }}
{{ if .Thinking }}<think>
{{ .Thinking }}
</think>

{{ end }}{{ .Content }}
{{- if not (and $last (eq .Role "assistant")) }}<|im_end|>
{{ end }}
{{- if and $last (ne .Role "assistant") }}<|im_start|>assistant
{{ if and $.IsThinkSet (not $.Think) }}<think>

</think>

{{ end }}{{ end }}
{{- end }}`;

/** ChatML alone. */
const plainTemplate = `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
`;

/** Names of the models in the store. */
export const names = {
  chat: 'qwen3:0.6b',
  embedding: 'all-minilm:22m',
  /** A GGUF file of one's own, whose template knows neither tools nor thoughts. */
  plain: 'mine:1b',
  /** Never ends its reply. */
  endless: 'endless:1b',
} as const;

export interface RealModels {
  /** The models of the release. */
  readonly local: LocalModels;
  /** Writes all models to a store of Ollama. */
  put(folder: string): Promise<void>;
}

/** Builds the models. @param llama the folder of llama.cpp's sources */
export async function realModels(llama: string): Promise<RealModels> {
  const vocabulary = await readVocabulary(join(llama, 'models/ggml-vocab-qwen2.gguf'));
  const talk = { thinking: replies.thinking, reply: replies.chat };
  const talking = modelOf(talkingGguf(vocabulary, talk), 'qwen3', { template });
  const searching = tinyModel(1, 'bert');
  const plain = talkingGguf(vocabulary, { reply: replies.plain });
  const endless = talkingGguf(vocabulary, { reply: ` ${replies.endless}`, endless: true });
  const chat = locked(names.chat, 'chat', talking);
  // The size of qwen3-embedding:0.6b, so that the limits of documents are those of a small server.
  const embedding = { ...locked(names.embedding, 'embedding', searching), size: 640e6 };
  return {
    local: { models: [chat, embedding], chat, embedding, hostedOnly: undefined },
    put: async (folder) => {
      await putModel(folder, names.chat, talking);
      await putModel(folder, names.embedding, searching);
      for (const [name, gguf] of [
        [names.plain, plain],
        [names.endless, endless],
      ] as const) {
        await putModel(folder, name, modelOf(gguf, 'qwen3', { template: plainTemplate }));
      }
    },
  };
}

function locked<Role extends ReleaseModel['role']>(
  name: string,
  role: Role,
  { manifest, blobs }: ModelFiles,
) {
  const size = [...blobs.values()].reduce((sum, { length }) => sum + length, 0);
  return { name, role, manifest: digestOf(manifest), digest: digestOf(manifest), size };
}
