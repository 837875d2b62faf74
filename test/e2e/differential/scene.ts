/**
 * Some servers twice: together behind a gateway for each listener, and each alone, to compare with.
 */

import { TestGateway, type Listener } from '../clients/gateway.js';
import { HttpPeer } from '../clients/http-peer.js';
import type { ClientOptions, Era, Peer } from '../clients/peer.js';
import { Pipe, PipePeer } from '../clients/pipe-peer.js';
import type { Subject } from './subjects.js';

export const LISTENERS: readonly Listener[] = ['stdio', 'http'];

export class Scene {
  readonly #subjects: readonly Subject[];
  readonly #client: ClientOptions;
  readonly #gateways = new Map<Listener, TestGateway>();
  readonly #direct = new Map<string, Peer>();
  readonly #remotes: Pipe[] = [];

  constructor(subjects: readonly Subject[], client: ClientOptions) {
    this.#subjects = subjects;
    this.#client = client;
  }

  async open(): Promise<void> {
    const urls = new Map<Subject, string>();
    for (const subject of this.#subjects.filter(({ isRemote }) => isRemote)) {
      const remote = new Pipe(subject.command());
      this.#remotes.push(remote);
      urls.set(subject, await remote.said(/^listening (\S+)/m));
    }
    for (const listener of LISTENERS) {
      const servers = this.#subjects.map((subject) => {
        const url = urls.get(subject);
        return [subject.key, url === undefined ? subject.command() : { url }] as const;
      });
      const settings = this.#subjects.map(({ key, settings: own = {} }) => [key, own] as const);
      const setup = {
        servers: Object.fromEntries(servers),
        settings: { servers: Object.fromEntries(settings) },
      };
      this.#gateways.set(listener, new TestGateway(listener, setup));
    }
    for (const subject of this.#subjects) this.#openDirect(subject, urls.get(subject));
    await Promise.all(Array.from(this.#direct.values(), (peer) => peer.open()));
  }

  /** A client of the gateway at a listener. */
  through(listener: Listener, era: Era): Promise<Peer> {
    return this.#gateways.get(listener)!.connect(era, this.#client);
  }

  /** The server itself. A server with state has a copy for each gateway. */
  direct(subject: Subject, listener: Listener, era: Era): Peer {
    return this.#direct.get(directKey(subject, listener, era))!;
  }

  async close(): Promise<void> {
    await Promise.all([
      ...Array.from(this.#gateways.values(), (gateway) => gateway.stop()),
      ...Array.from(this.#direct.values(), (peer) => peer.close()),
    ]);
    await Promise.all(this.#remotes.map((remote) => remote.close()));
  }

  /** One for each era: a pipe speaks only one. */
  #openDirect(subject: Subject, url: string | undefined): void {
    for (const listener of LISTENERS) {
      for (const era of subject.eras) {
        const key = directKey(subject, listener, era);
        if (this.#direct.has(key)) continue;
        const peer =
          url === undefined
            ? new PipePeer(new Pipe(subject.command()), era, this.#client)
            : new HttpPeer(url, era, this.#client);
        this.#direct.set(key, peer);
      }
    }
  }
}

function directKey({ key, remembers }: Subject, listener: Listener, era: Era): string {
  return [key, era, ...(remembers ? [listener] : [])].join(' ');
}
