import { z } from 'zod';
import { expectStatus, jsonOf } from './exchange.ts';
import type { SmokeTarget } from './target.ts';
import { callUi, signIn } from './ui-session.ts';

/** A model of Ollama as the chat UI shows it. */
export interface UiModel {
  /** As Ollama lists it. */
  readonly name: string;
  /** A chat model is offered to every account; an embedding model is hidden from the list. */
  readonly role: 'chat' | 'embedding';
  /** Whether it can think before it replies. */
  readonly thinks?: boolean;
  /** Whether it reads pictures; undefined if that is unknown. */
  readonly sees?: boolean;
}

/**
 * Maximum tokens of a response, including thinking. Without it Ollama stops after ten times the
 * context length, which takes hours on a few CPUs. It also bounds every other generation of the UI.
 */
const maxTokens = 8192;

/**
 * A menu of the chat (Open WebUI 0.12, models/models.py, `ModelControl`). Thinking takes hundreds of
 * tokens before the first visible word. Unlike a parameter of the entry, users can turn it on, and
 * hosted models do not get it.
 */
const thinking = {
  label: 'Thinking',
  default: 'off',
  options: {
    off: { label: 'Off', params: { think: false } },
    on: { label: 'On', params: { think: true } },
  },
} as const;
/** Texts of the menu in `meta.i18n`, by language. */
const thinkingInChinese = {
  'model_controls.thinking.label': '思考',
  'model_controls.thinking.options.off.label': '关闭',
  'model_controls.thinking.options.on.label': '开启',
} as const;

/** Open WebUI 0.12, models/access_grants.py: every signed-in account. */
const everyone = { principal_type: 'user', principal_id: '*', permission: 'read' } as const;
const rowsSchema = z.array(z.object({ id: z.string() }));

/**
 * Registers models with Open WebUI, which shows a model without an entry to administrators only
 * (0.12, utils/models.py, `get_filtered_models`). An existing entry is kept, because the
 * administrator may have changed it on the page of the models.
 * @returns the names of the new entries
 * @throws Error when the UI does not accept an entry
 */
export async function registerModels(
  target: SmokeTarget,
  models: readonly UiModel[],
): Promise<string[]> {
  const token = await signIn(target);
  const rows = rowsSchema.parse(jsonOf(await callUi(target, '/api/v1/models/base', {}, token)));
  const missing = models.filter(({ name }) => !rows.some(({ id }) => id === name));
  for (const model of missing) {
    const body = entryOf(model);
    expectStatus(await callUi(target, '/api/v1/models/create', { body }, token), 200);
  }
  // Makes the UI read its entries now instead of at the next visit.
  if (missing.length > 0) await callUi(target, '/api/models?refresh=true', {}, token);
  return missing.map(({ name }) => name);
}

function entryOf({ name, role, thinks, sees }: UiModel) {
  const isChat = role === 'chat';
  const controls = thinks ? { model_controls: { thinking } } : {};
  const texts = thinks ? { i18n: { 'zh-CN': thinkingInChinese } } : {};
  // Without it, Open WebUI sends a picture to any model, which answers as if there were none.
  const capabilities = sees === undefined ? {} : { capabilities: { vision: sees } };
  return {
    id: name,
    base_model_id: null,
    name,
    meta: isChat ? { ...capabilities, ...texts } : { hidden: true },
    params: isChat ? { max_tokens: maxTokens, ...controls } : {},
    access_grants: isChat ? [everyone] : [],
    is_active: true,
  };
}
