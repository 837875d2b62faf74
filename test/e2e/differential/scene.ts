/** Some servers twice: together behind a gateway at each door, and each by itself, to compare with. */

import { TestGateway, type Door } from '../clients/gateway.js';
import { HttpPeer } from '../clients/http-peer.js';
import type { ClientOptions, Era, Peer } from '../clients/peer.js';
import { Pipe, PipePeer } from '../clients/pipe-peer.js';
import type { Subject } from './subjects.js';

export const DOORS: readonly Door[] = ['stdio', 'http'];

export class Scene {
  readonly #subjects: readonly Subject[];
  readonly #client: ClientOptions;
  readonly #gateways = new Map<Door, TestGateway>();
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
    for (const door of DOORS) {
      const servers = this.#subjects.map((subject) => {
        const url = urls.get(subject);
        return [subject.key, url === undefined ? subject.command() : { url }] as const;
      });
      const settings = this.#subjects.map(({ key, settings: own = {} }) => [key, own] as const);
      const setup = {
        servers: Object.fromEntries(servers),
        settings: { servers: Object.fromEntries(settings) },
      };
      this.#gateways.set(door, new TestGateway(door, setup));
    }
    for (const subject of this.#subjects) this.#openDirect(subject, urls.get(subject));
    await Promise.all(Array.from(this.#direct.values(), (peer) => peer.open()));
  }

  /** A client of the gateway at a door. */
  through(door: Door, era: Era): Promise<Peer> {
    return this.#gateways.get(door)!.connect(era, this.#client);
  }

  /** The server itself. One that remembers has one for each gateway. */
  direct(subject: Subject, door: Door, era: Era): Peer {
    return this.#direct.get(directKey(subject, door, era))!;
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
    for (const door of DOORS) {
      for (const era of subject.eras) {
        const key = directKey(subject, door, era);
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

function directKey({ key, remembers }: Subject, door: Door, era: Era): string {
  return [key, era, ...(remembers ? [door] : [])].join(' ');
}
