import { afterAll, beforeAll, expect, it } from 'vitest';
import { needs } from '../../integration/needs.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { installSingBox } from '../sing-box/install.ts';
import { proxy, Surroundings, web } from './surroundings.ts';

const given = needs('trixie');

given.describe('the capture of all connections, with a real client in network namespaces', () => {
  let here: Surroundings;
  let before: string;

  beforeAll(async () => {
    const singBox = await installSingBox();
    here = await Surroundings.open({ root: await workFolder(), singBox, debian: given.trixie });
    await here.act('client');
    before = await here.snapshot();
  });
  afterAll(() => here?.close());

  /** Expects that all connections from outside work: those that exist, and new ones. */
  async function expectAnswers(): Promise<void> {
    expect({ held: await here.unanswered('held') }).toEqual({ held: [] });
    expect({ new: await here.unanswered('new') }).toEqual({ new: [] });
  }
  async function expectEgress(seen: string): Promise<void> {
    const sides = [await here.seenFrom('server'), await here.seenFrom('container')];
    expect(sides).toEqual([seen, seen]);
  }

  it('leaves directly and is recorded, so that the next tests can fail', async () => {
    await expectAnswers();
    await expectEgress('203.0.113.5');
    expect(await here.leaked()).not.toEqual([]);
  });

  it('switches on, and new and held connections from outside keep working', async () => {
    expect(await here.act('on')).toBe('provisional');
    await expectAnswers();
    await expectEgress(proxy);
    expect(await here.lookUp()).toBe(web);
    expect(await here.leaked()).toEqual([]);
  });

  it('leaves nothing of an unconfirmed capture', async () => {
    expect(await here.act('undo')).toBe('off');
    await expectAnswers();
    expect(await here.snapshot()).toBe(before);
    await expectEgress('203.0.113.5');
    await here.leaked();
  });

  it('stays on after a confirmation', async () => {
    await here.act('on');
    expect(await here.act('confirm')).toBe('active');
    expect(await here.act('undo')).toBe('active');
    await expectEgress(proxy);
    expect(await here.leaked()).toEqual([]);
  });

  it('closes the way out when the client is killed, and answers connections from outside', async () => {
    await here.killClient();
    await expectAnswers();
    await expectEgress('nothing');
    expect(await here.lookUp()).not.toBe(web);
    expect(await here.leaked()).toEqual([]);
    await here.restartClient();
    await expectAnswers();
    await expectEgress(proxy);
    expect(await here.leaked()).toEqual([]);
  });

  it('closes the way out when the proxy is dead', async () => {
    await here.stopProxy();
    await expectAnswers();
    await expectEgress('nothing');
    expect(await here.leaked()).toEqual([]);
  });

  it('pauses with on_failure: direct, and captures again when a proxy works', async () => {
    expect(await here.act('check', 'direct')).toBe('paused');
    await expectAnswers();
    await expectEgress('203.0.113.5');
    await here.startProxy();
    expect(await here.act('check', 'direct')).toBe('active');
    await here.leaked();
    await expectAnswers();
    await expectEgress(proxy);
    expect(await here.leaked()).toEqual([]);
  });

  it('turns the capture of all connections off without a trace', async () => {
    expect(await here.act('off')).toBe('off');
    expect(await here.snapshot()).toBe(before);
    await expectAnswers();
    await expectEgress('203.0.113.5');
  });
});
