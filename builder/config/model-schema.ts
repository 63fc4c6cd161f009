import { z } from 'zod';
import { modelPattern } from '#contract/bundle/model-name.ts';
import { type ModelRole, modelRoles } from '#contract/bundle/release.ts';
import { flawOfGgufSource } from '../models/gguf-source.ts';
import { secretLooks } from './secret-signs.ts';

/** SPEC 2.8: `<model_name>:<size_tag>`, the name with a namespace or host where it has one. */
const modelName = z
  .string()
  .max(512)
  .regex(modelPattern, 'must be a model with its tag, such as qwen3:8b');

/** A path or a URL on one line; what lies there is looked at when it is opened. */
const place = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{Cc}]+$/u, 'must be a path or a URL on one line')
  .superRefine((text, context) => {
    // It travels in every bundle, where everybody can read it.
    const secret = secretLooks(text);
    const flaw =
      flawOfGgufSource(text) ?? (secret && `${secret}; publish the file where none is needed`);
    if (flaw) context.addIssue({ code: 'custom', message: flaw });
  });

const role = z
  .enum(modelRoles)
  .optional()
  .describe('What it is for: chat (left out), or embedding to make documents searchable.');

const describedModel = z
  .strictObject({
    name: modelName.describe(
      'Name in a registry; for a file, the name that the model gets on the server: mine:1b.',
    ),
    role,
    gguf: place
      .optional()
      .describe(
        'A file instead of a registry: an https URL, or a path from the folder of this file.',
      ),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
      .optional()
      .describe('SHA-256 of the file; with it a download can be resumed from the first time on.'),
    template: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe(
        "How a conversation becomes a prompt, in Ollama's template language; left out: the model completes plain text.",
      ),
  })
  .superRefine(({ gguf, sha256, template }, context) => {
    if (gguf !== undefined) return;
    for (const [field, value] of Object.entries({ sha256, template })) {
      if (value === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'belongs to a file: add gguf' });
    }
  });

/** A model of an appliance: a name alone, or a name with what it is for and where its file is. */
export const applianceModel = z
  .union([
    modelName.describe(
      "A chat model in Ollama's registry, or in the one that the name begins with.",
    ),
    describedModel,
  ])
  .transform((model): ApplianceModel => (typeof model === 'string' ? { name: model } : model));

interface ApplianceModel {
  readonly name: string;
  /** Absent: chat. */
  readonly role?: ModelRole | undefined;
  /** Place of a GGUF file; absent for a model of a registry. */
  readonly gguf?: string | undefined;
  /** 64 hex digits. */
  readonly sha256?: string | undefined;
  readonly template?: string | undefined;
}
