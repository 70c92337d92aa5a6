package dev.consignee.time;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers on one thread of their own, however many wait; the thread is there only while some do. */
public final class ThreadTimers implements Timers, AutoCloseable {

    private final ScheduledThreadPoolExecutor executor;

    /**
     * Starts no thread yet.
     *
     * @param threads makes the thread, named here
     * @param name the thread's name
     */
    public ThreadTimers(ThreadFactory threads, String name) {
        executor = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread thread = threads.newThread(task);
                    thread.setName(name);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setKeepAliveTime(5, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Duration wait = delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
        ScheduledFuture<?> scheduled = executor.schedule(task, wait.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    /** What still waits never runs. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
