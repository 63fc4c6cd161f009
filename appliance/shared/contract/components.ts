import type { Component } from './component.ts';

/**
 * Every component of the stack, in the order in which lists show them. The site schema, the report,
 * the limits, the secrets, the gateway, the smoke tests and the builder derive their lists from it.
 * `docs/architecture.md` explains how to add one.
 */
export const components = {
  engine: {
    product: 'Ollama',
    interruption: {
      en: 'local models do not answer; the next question waits until its model is loaded again',
      zh: '本地模型无法回答；下一个问题要等模型重新加载',
    },
    runs: 'always',
    onEngineNodes: true,
    port: 11434,
    containerPort: 11434,
    limits: { memory: 'rest', cpus: 'rest', pids: 1024 },
  },
  ui: {
    product: 'Open WebUI',
    interruption: {
      en: 'the chat is interrupted',
      zh: '聊天中断',
    },
    title: { en: 'chat UI', zh: '聊天界面' },
    runs: 'always',
    port: 3000,
    containerPort: 8080,
    hasHostName: true,
    page: { heading: { en: 'Local models', zh: '本地模型' }, access: 'account' },
    usesRelay: 'with-providers',
    secrets: [
      { name: 'WEBUI_SECRET_KEY', kind: 'key' },
      { name: 'WEBUI_ADMIN_PASSWORD', kind: 'password', title: 'Chat UI, administrator' },
    ],
    limits: { memory: 2048, memoryOnSmallServer: 1280, cpus: 2, pids: 512 },
  },
  /** The specification gives it port 3000, which the UI has. */
  chat: {
    product: 'NextChat',
    title: { en: 'front-end for one provider', zh: '单个模型服务商的前端' },
    runs: 'when-selected',
    upkeep: {
      en: 'NextChat has had no release since July 2025 and has a published SSRF, which the gateway blocks.',
      zh: 'NextChat 自 2025 年 7 月以来没有新版本，并有一个已公开的 SSRF 漏洞，网关会拦截。',
    },
    port: 3001,
    containerPort: 3000,
    hasHostName: true,
    page: { heading: { en: 'One hosted provider', zh: '单个模型服务商' }, access: 'access-code' },
    usesRelay: 'always',
    secrets: [
      {
        name: 'CHAT_ACCESS_CODE',
        kind: 'password',
        title: 'Single-provider front-end, access code',
      },
    ],
    logging: 'none',
    limits: { memory: 384, cpus: 1, pids: 128 },
  },
  lobe: {
    product: 'LobeChat',
    title: { en: 'front-end for many providers', zh: '多个模型服务商的前端' },
    runs: 'when-selected',
    upkeep: {
      en: 'LobeChat 1.x is frozen: its successor needs a database, and it gets no more fixes.',
      zh: 'LobeChat 1.x 已停止更新：后继版本需要数据库，它不再得到修复。',
    },
    port: 3210,
    containerPort: 3210,
    hasHostName: true,
    page: {
      heading: { en: 'Several hosted providers', zh: '多个模型服务商' },
      access: 'access-code',
    },
    usesRelay: 'always',
    secrets: [
      {
        name: 'LOBE_ACCESS_CODE',
        kind: 'password',
        title: 'Multi-provider front-end, access code',
      },
    ],
    user: 1001,
    limits: { memory: 768, cpus: 1, pids: 128 },
  },
  /** Distributes requests over several servers with Ollama. */
  balancer: {
    product: 'HAProxy',
    interruption: {
      en: 'local models do not answer, on any server',
      zh: '所有服务器上的本地模型都无法回答',
    },
    runs: 'when-needed',
    containerPort: 11434,
    user: 99,
    limits: { memory: 128, cpus: 1, pids: 64 },
  },
  /** Landfall's own relay for hosted providers. */
  relay: {
    product: 'the relay',
    interruption: {
      en: 'hosted models do not answer, in the chat and for API clients',
      zh: '聊天和 API 客户端无法使用云端模型',
    },
    title: { en: 'relay for API clients', zh: '供 API 客户端使用的中继' },
    runs: 'when-needed',
    port: 8080,
    containerPort: 8080,
    hasHostName: true,
    path: '/v1',
    user: 65532,
    program: true,
    limits: { memory: 192, cpus: 1, pids: 64 },
  },
  tinyproxy: {
    product: 'tinyproxy',
    interruption: {
      en: 'connections through the HTTP proxy are cut',
      zh: '经过 HTTP 代理的连接会断开',
    },
    title: { en: 'HTTP proxy', zh: 'HTTP 代理' },
    runs: 'always',
    port: 8888,
    containerPort: 8888,
    secrets: [
      { name: 'TINYPROXY_USERNAME', kind: 'username', title: 'HTTP proxy, user' },
      { name: 'TINYPROXY_PASSWORD', kind: 'password', title: 'HTTP proxy, password' },
    ],
    user: 57981,
    limits: { memory: 64, cpus: 1, pids: 128 },
  },
  /** The only component that publishes ports to the internet. */
  gateway: {
    product: 'nginx',
    interruption: {
      en: 'all pages and APIs of this server are unreachable from outside',
      zh: '从外部无法访问这台服务器的所有页面和 API',
    },
    runs: 'always',
    onEngineNodes: true,
    publicPorts: { http: 80, https: 443 },
    user: 101,
    limits: { memory: 256, cpus: 1, pids: 64 },
  },
  acme: { product: 'lego', runs: 'on-timer', limits: { memory: 256, cpus: 1, pids: 64 } },
  /** The documentation of the server, as static files. */
  docs: {
    product: 'the documentation pages',
    title: { en: 'documentation', zh: '使用说明' },
    runs: 'always',
    onEngineNodes: true,
    servedBy: 'gateway',
    port: 8090,
    containerPort: 8090,
    hasHostName: true,
  },
} as const satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof components;
