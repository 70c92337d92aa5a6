package dev.consignee.cdi;

import java.util.concurrent.ThreadFactory;

/** Makes the threads that handlers run on: daemons, with the application's class loader. */
final class ApplicationThreads implements ThreadFactory {

    private final ClassLoader application;

    ApplicationThreads(ClassLoader application) {
        this.application = application;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "consignee");
        thread.setDaemon(true);
        thread.setContextClassLoader(application);
        return thread;
    }
}
