import { z } from 'zod';
import { modelPattern } from '#contract/bundle/model-name.ts';
import { type ModelRole, modelRoles } from '#contract/bundle/release.ts';
import { secretLooks } from '#explain/secret-signs.ts';
import { type DeclaredLicense, declaredLicense } from '../licenses/declared-license.ts';
import { flawOfGgufSource } from '../models/gguf-source.ts';

/** SPEC 2.8: `<model_name>:<size_tag>`; the name may include a namespace and a host. */
const modelName = z
  .string()
  .max(512)
  .regex(modelPattern, 'must be a model with its tag, such as qwen3:8b');

/** A path or a URL on one line. The file itself is checked when it is opened. */
const ggufSource = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{Cc}]+$/u, 'must be a path or a URL on one line')
  .superRefine((text, context) => {
    // Every bundle contains this URL, so it must not contain a secret.
    const secret = secretLooks(text);
    const flaw = flawOfGgufSource(text) ?? (secret && `${secret}; use a URL without credentials`);
    if (flaw) context.addIssue({ code: 'custom', message: flaw });
  });

const role = z
  .enum(modelRoles)
  .optional()
  .describe('Purpose: chat (default), or embedding for document search.');

const describedModel = z
  .strictObject({
    name: modelName.describe(
      'Name in a registry. For a GGUF file: name of the model on the server, such as mine:1b.',
    ),
    role,
    gguf: ggufSource
      .optional()
      .describe(
        'GGUF file: an https URL, or a path relative to this file. Default: pull from a registry.',
      ),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
      .optional()
      .describe('SHA-256 of the GGUF file. It allows even the first download to be resumed.'),
    template: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe(
        "Prompt template in Ollama's template language. Default: the model completes plain text.",
      ),
    license: declaredLicense.optional(),
  })
  .superRefine(({ gguf, sha256, template }, context) => {
    if (gguf !== undefined) return;
    for (const [field, value] of Object.entries({ sha256, template })) {
      if (value === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'requires gguf' });
    }
  });

/** A model of an appliance: only a name, or a name with a purpose and a source. */
export const applianceModel = z
  .union([
    modelName.describe(
      "Chat model in Ollama's registry, or in the registry that the name starts with.",
    ),
    describedModel,
  ])
  .transform((model): ApplianceModel => (typeof model === 'string' ? { name: model } : model));

interface ApplianceModel {
  readonly name: string;
  /** Default: chat. */
  readonly role?: ModelRole | undefined;
  /** URL or path of a GGUF file; absent for a registry model. */
  readonly gguf?: string | undefined;
  /** 64 hex digits. */
  readonly sha256?: string | undefined;
  readonly template?: string | undefined;
  readonly license?: DeclaredLicense | undefined;
}
