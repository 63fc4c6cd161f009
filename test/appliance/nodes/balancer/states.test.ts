import { describe, expect, it } from 'vitest';
import { parseStates } from '../../../../appliance/nodes/balancer/states.ts';

const columns =
  '# pxname,svname,qcur,scur,econ,eresp,status,sid,slim,hrsp_2xx,hrsp_5xx,check_desc,last_chk,qtime,ttime,';
const rows = [
  'ollama,FRONTEND,,3,,,OPEN,0,,9,0,,,',
  'generate-1,gpu1,1,2,0,0,UP 1/2,1,2,7,1,Layer7 check passed,,200,5200,',
  'generate-1,attic,0,0,3,0,DOWN,2,1,0,0,Layer4 timeout,"at initial, step ""1""",',
  'generate-1,spare,0,0,0,0,DRAIN,3,1,0,0,Layer7 check passed,,',
  'generate-1,BACKEND,4,2,3,0,UP,0,,7,1,,,',
  'embed-1,gpu1,0,1,0,1,UP,1,2,2,0,,,',
  'embed-1,BACKEND,1,1,0,1,UP,0,,2,0,,,',
  'info-1,gpu1,0,5,0,0,UP,1,,40,0,,,',
];

describe('the states of the servers behind HAProxy', () => {
  it('adds chats and embeddings of each server, and no lists', () => {
    const table = [
      '# table: answers, type: string, size:64, used:1',
      '0x7f01: key=gpu1 use=1 exp=59000 shard=0 gpc0_rate(60000)=4',
    ];
    const { servers, waiting } = parseStates([columns, ...rows, '', ...table, ''].join('\n'));
    expect(waiting).toBe(5);
    expect(servers).toEqual([
      {
        ...{ name: 'gpu1', server: 'gpu1', state: 'up', backend: 'generate-1', id: 1 },
        ...{
          slots: 2,
          inFlight: 3,
          waiting: 1,
          perMinute: 4,
          answerTime: 5000,
          chats: 7,
          answered: 9,
          failed: 2,
        },
      },
      {
        ...{ name: 'attic', server: 'attic', state: 'down', backend: 'generate-1', id: 2 },
        reason: 'Layer4 timeout: at initial, step "1"',
        ...{ slots: 1, inFlight: 0, waiting: 0, perMinute: 0, chats: 0, answered: 0, failed: 3 },
      },
      {
        ...{ name: 'spare', server: 'spare', state: 'draining', backend: 'generate-1', id: 3 },
        ...{ slots: 1, inFlight: 0, waiting: 0, perMinute: 0, chats: 0, answered: 0, failed: 0 },
      },
    ]);
  });

  it('says what a failed check has expected', () => {
    const text = 'Layer7 invalid response: HTTP check comment: big:70b is missing';
    const row = `generate-1,gpu1,0,0,0,0,DOWN,1,1,0,0,${text},,0,0,`;
    expect(parseStates([columns, row].join('\n')).servers[0]?.reason).toBe('big:70b is missing');
  });

  it('rejects the text of another program', () => {
    expect(() => parseStates('Permission denied\n')).toThrow('no table');
  });
});
