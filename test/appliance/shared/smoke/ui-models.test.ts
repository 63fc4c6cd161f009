import { describe, expect, it } from 'vitest';
import { registerModels, type UiModel } from '../../../../appliance/shared/smoke/ui-models.ts';
import { portOf } from './closing-servers.ts';
import { insideTarget } from './inside-target.ts';

/** Returns what the chat UI receives as the entry of a model. */
async function entryOf(model: UiModel): Promise<unknown> {
  const entries: unknown[] = [];
  const ui = await portOf(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/v1/auths/signin') return Response.json({ token: 'a', role: 'admin' });
    if (pathname === '/api/v1/models/base') return Response.json([]);
    if (pathname === '/api/v1/models/create') entries.push(await request.json());
    return Response.json({});
  });
  await registerModels(insideTarget({ ports: { ui }, hosts: { docs: 'docs.example.com' } }), [
    model,
  ]);
  return entries[0];
}

describe('the entry of a local model in the chat UI', () => {
  it('turns thinking off, and lets users turn it on in a menu', async () => {
    const entry = await entryOf({ name: 'qwen3:8b', role: 'chat', thinks: true });
    // Open WebUI would prefer a parameter of the entry to the choice of the user.
    expect(entry).not.toHaveProperty('params.think');
    expect(entry).toMatchObject({
      params: {
        model_controls: {
          thinking: {
            default: 'off',
            options: { off: { params: { think: false } }, on: { params: { think: true } } },
          },
        },
      },
      meta: { i18n: { 'zh-CN': { 'model_controls.thinking.label': '思考' } } },
    });
  });

  it('accepts pictures only for a model that sees them', async () => {
    const meta = async (sees: boolean) => await entryOf({ name: 'tiny:1b', role: 'chat', sees });
    expect(await meta(false)).toMatchObject({ meta: { capabilities: { vision: false } } });
    expect(await meta(true)).toMatchObject({ meta: { capabilities: { vision: true } } });
    const unknown = await entryOf({ name: 'tiny:1b', role: 'chat' });
    expect(unknown).not.toHaveProperty('meta.capabilities');
  });

  it('shows no menu for a model that cannot think', async () => {
    const entry = await entryOf({ name: 'qwen3:4b-instruct', role: 'chat', thinks: false });
    expect(entry).not.toHaveProperty('params.model_controls');
  });
});
