package dev.consignee.sample.demo;

import jakarta.enterprise.inject.se.SeContainerInitializer;

/** Runs the warehouse on Weld SE, at the broker that {@code consignee.url} names, until it is interrupted (Ctrl-C). */
public final class WarehouseMain {

    private WarehouseMain() {}

    /** Opens the warehouse. */
    public static void main(String[] arguments) throws InterruptedException {
        SeContainerInitializer.newInstance().initialize(); // Weld closes it when the process is told to stop
        System.out.println("The warehouse is open. Ctrl-C closes it.");
        Thread.currentThread().join(); // for ever
    }
}
