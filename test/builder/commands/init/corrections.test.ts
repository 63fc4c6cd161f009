import { expect, it } from 'vitest';
import {
  correctHost,
  correctProxy,
  correctUrl,
} from '../../../../builder/commands/init/check-answers.ts';

it.each([
  ['Chat.Example.COM', 'chat.example.com'],
  [' https://chat.example.com/path?x=1 ', 'chat.example.com'],
  ['https://https://chat.example.com', 'chat.example.com'],
  ['chat.example.com.', 'chat.example.com'],
  ['chat.example.com:443', 'chat.example.com'],
  ['聊天.example.com', 'xn--rss932g.example.com'],
])('reads %s as the host name %s', (answer, host) => {
  expect(correctHost(answer)).toBe(host);
});

it.each([
  ['https://https://e.org/x/', 'https://e.org/x/'],
  ['https://http://e.org/', 'http://e.org/'],
  ['e.org/x', 'https://e.org/x'],
  ['http://e.org', 'http://e.org'],
  ['ftp://e.org', 'ftp://e.org'],
  ['', ''],
])('reads %s as the URL %s', (answer, url) => {
  expect(correctUrl(answer)).toBe(url);
});

it.each([
  ['10.0.0.2:7890', 'http://10.0.0.2:7890'],
  [' me:pw@proxy.lan:3128 ', 'http://me:pw@proxy.lan:3128'],
  ['socks5h://10.0.0.2:7891', 'socks5h://10.0.0.2:7891'],
  ['proxy', 'proxy'],
])('reads %s as the proxy %s', (answer, url) => {
  expect(correctProxy(answer)).toBe(url);
});
