import { afterEach, describe, expect, it } from 'vitest';
import type { Language } from '#contract/text/language.ts';
import { scheduledCheck } from '../../../../../appliance/stages/route/check/check-route.ts';
import { status } from '../../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../../faulty-server/faulty-server.ts';
import { Receiver, targetFor } from '../../../../stand-ins/alert-receivers/receiver.ts';
import { contextFor, imageOf } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const start = Date.parse('2026-11-22T00:00:00.000Z');

/** Returns a server with a registry, a provider and a target of alerts. */
async function setUp(language?: Language) {
  const [registry, provider, receiver] = await Promise.all([
    FaultyServer.start(status(401)),
    FaultyServer.start(status(401)),
    Receiver.start('webhook'),
  ]);
  open.push(registry, provider, receiver);
  const { target, files } = targetFor('webhook', receiver.origin);
  const host = TemporaryHost.with(
    { 'etc/hostname': 'vps-1\n', ...files },
    { 'apt-get update --print-uris': '' },
  );
  const images = [imageOf('engine', 1, { reference: `${registry.host}/ollama:1` })];
  const context = contextFor(host, {
    release: { kind: 'thin', images },
    site: {
      ...(language && { language }),
      alerts: [target],
      providers: { openai: { base_url: provider.url('/v1').href } },
    },
  });
  let step = 0;
  const check = () => {
    step += 1;
    return scheduledCheck(context, new Date(start + step * 15 * 60_000));
  };
  return { registry, provider, receiver, check };
}

const fails: Parameters<FaultyServer['answer']>[0] = ({ request }) => {
  request.socket.destroy();
};

describe('a scheduled check', () => {
  it('sends no alert while the route works, and none for two failures', async () => {
    const { check, registry, receiver } = await setUp();
    await check();
    registry.answer(fails);
    await check();
    await check();
    registry.answer(status(401));
    await check();
    expect(receiver.received).toEqual([]);
  });

  it('sends one alert when a provider fails, and one when it works again', async () => {
    const { check, provider, receiver } = await setUp();
    provider.answer(fails);
    for (let count = 0; count < 6; count += 1) await check();
    expect(receiver.accepted).toEqual([
      expect.stringMatching(
        /^Landfall on vps-1: provider openai failed\nFailed: provider openai, since 2026-11-22 00:15 UTC \(127\.0\.0\.1:\d+ is unreachable: the connection was lost\)\.\nRun: sudo landfall route test$/,
      ),
    ]);
    provider.answer(status(401));
    await check();
    await check();
    expect(receiver.accepted.slice(1)).toEqual([
      expect.stringMatching(
        /provider openai working again\n.*failed from 2026-11-22 00:15 UTC to 2026-11-22 01:45 UTC/,
      ),
    ]);
  });

  it('reports the route if no destination can be reached, in one message', async () => {
    const { check, provider, registry, receiver } = await setUp();
    provider.answer(fails);
    registry.answer(fails);
    for (let count = 0; count < 4; count += 1) await check();
    expect(receiver.accepted).toHaveLength(1);
    expect(receiver.accepted[0]).toContain('Failed: the route, since 2026-11-22 00:15 UTC');
    expect(receiver.accepted[0]).toContain('Failed: provider openai');
    expect(receiver.accepted[0]).toContain(`Failed: images of ${registry.host}`);
  });

  it('names destinations and causes in Chinese on a Chinese site', async () => {
    const { check, provider, registry, receiver } = await setUp('zh');
    provider.answer(fails);
    registry.answer(fails);
    for (let count = 0; count < 3; count += 1) await check();
    const [message] = receiver.accepted;
    expect(message).toContain('故障：网络线路，始于 ');
    expect(message).toMatch(
      /故障：模型服务商 openai，始于 .*（无法连接：127\.0\.0\.1:\d+ is unreachable/,
    );
    expect(message).toContain(`故障：${registry.host} 的镜像，始于 `);
    expect(message).toContain('请运行：sudo landfall route test');
  });
});
