import type * as vscode from "vscode";
import { type FollowedParams, type FollowParams, type FollowResult, Requests } from "../protocol";
import { ForgeError } from "./errors";
import type { Daemon, RequestOptions } from "./index";

/** The events of every follow, on their way from the daemon to the one who follows. */
export class Follows {
  private readonly channels = new Map<string, Channel>();
  /** An event of one that was just left may still be on its way. */
  private readonly ended = new Set<string>();

  /** Handles `forge/followed`. Answered once the event has been dealt with, which is the flow control. */
  async receive(event: FollowedParams): Promise<null> {
    if (!this.ended.has(event.follow_id)) await this.channel(event.follow_id).offer(event);
    return null;
  }

  /** The daemon has ended: no follow of it gets another event. */
  end(): void {
    for (const channel of this.channels.values()) channel.close();
    this.channels.clear();
    this.ended.clear();
  }

  /** An event may come before the answer that names its follow. */
  channel(id: string): Channel {
    const channel = this.channels.get(id) ?? new Channel();
    this.channels.set(id, channel);
    return channel;
  }

  remove(id: string): void {
    this.channels.get(id)?.close();
    this.channels.delete(id);
    this.ended.add(id);
  }
}

/** Hands over one event at a time. */
class Channel {
  private waiting: { event: FollowedParams; done: () => void } | undefined;
  private handedOver: (() => void) | undefined;
  private wake: (() => void) | undefined;
  private closed = false;

  offer(event: FollowedParams): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((done) => {
      this.waiting = { event, done };
      this.wake?.();
    });
  }

  /** The next event; undefined once the channel is closed. Answers the one before. */
  async next(): Promise<FollowedParams | undefined> {
    this.handedOver?.();
    this.handedOver = undefined;
    while (this.waiting === undefined && !this.closed) {
      await new Promise<void>((woken) => {
        this.wake = woken;
      });
    }
    const next = this.waiting;
    this.waiting = undefined;
    this.handedOver = next?.done;
    return next?.event;
  }

  close(): void {
    this.closed = true;
    this.handedOver?.();
    this.waiting?.done();
    this.waiting = undefined;
    this.wake?.();
  }
}

/** Follows a file for as long as the result is iterated, across restarts of the daemon. */
export async function* follow(
  daemon: Pick<Daemon, "request">,
  follows: Follows,
  params: FollowParams,
  options: RequestOptions = {},
): AsyncGenerator<FollowedParams, void, void> {
  let from: FollowParams = params;
  for (;;) {
    if (options.token?.isCancellationRequested) return;
    const started = await start(daemon, from, options);
    const channel = follows.channel(started.follow_id);
    const stopping = options.token?.onCancellationRequested(() => follows.remove(started.follow_id));
    let cursor = started.end_cursor ?? started.next_cursor;
    try {
      if (from !== params && from.cursor == null) yield eventOf(started, "replaced");
      if (started.content !== "") yield eventOf(started, "appended");
      for (let event = await channel.next(); event !== undefined; event = await channel.next()) {
        cursor = event.end_cursor ?? cursor;
        yield event;
        if (event.event === "refused") return;
      }
    } finally {
      await leave(daemon, follows, started.follow_id, stopping);
    }
    // The daemon ended and another has taken its place.
    from = { ...params, tail: null, cursor };
  }
}

/** A cursor that does not hold any more means another file. */
async function start(
  daemon: Pick<Daemon, "request">,
  from: FollowParams,
  options: RequestOptions,
): Promise<FollowResult> {
  try {
    return await daemon.request(Requests.follow, from, options);
  } catch (error) {
    if (from.cursor == null || !(error instanceof ForgeError) || error.code !== "CONTENT_MODIFIED")
      throw error;
    from.cursor = null;
    return await daemon.request(Requests.follow, from, options);
  }
}

async function leave(
  daemon: Pick<Daemon, "request">,
  follows: Follows,
  follow_id: string,
  stopping: vscode.Disposable | undefined,
): Promise<void> {
  stopping?.dispose();
  follows.remove(follow_id);
  await daemon.request(Requests.unfollow, { follow_id }).catch(() => undefined); // it may have ended with the daemon
}

/** What was there before the first event, in the form of one. */
function eventOf(window: FollowResult, event: "appended" | "replaced"): FollowedParams {
  const { follow_id, content, line_numbers, context_lines, meta, etag, end_cursor } = window;
  const isContent = event === "appended";
  return {
    follow_id,
    event,
    content: isContent ? content : null,
    start_line: isContent && meta.start_line > 0 ? meta.start_line : null,
    returned_line_count: isContent ? meta.returned_line_count : null,
    line_numbers: isContent ? line_numbers : null,
    context_lines: isContent ? context_lines : null,
    continues_line: false,
    skipped_bytes: 0,
    skipped_files: 0,
    byte_length: meta.byte_length,
    line_count: meta.line_count,
    etag,
    end_cursor,
    error: null,
  };
}
